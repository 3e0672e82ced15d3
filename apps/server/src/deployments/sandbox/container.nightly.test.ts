import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeWith } from '../../testing/parts/programs.ts';
import { type ContainerOptions, containerDriver } from './container-driver.ts';
import { holdToContract } from './driver-contract.fixture.ts';
import { engineByTls } from './engine-by-tls.fixture.ts';
import { type Podman, startPodman } from './podman.fixture.ts';

/** Rootless Podman maps its users with this program (package uidmap). */
const forUsers = process.getuid?.() === 0 ? [] : ['newuidmap'];

const places = [
  [
    'of an engine here',
    async (podman: Podman) => ({ socket: podman.socket, certificates: null, close: () => undefined }),
  ],
  ['of an engine elsewhere, by TLS', engineByTls],
] as const;

describeWith(['podman', 'runc', 'tar', 'ldd', 'openssl', ...forUsers], 'in a container', () => {
  describe.each(places)('%s', (_, reach) => {
    let podman: Podman;
    let options: ContainerOptions;
    let leave: () => void = () => undefined;
    beforeAll(async () => {
      podman = await startPodman();
      const { socket, certificates, close } = await reach(podman);
      leave = close;
      const { image } = podman;
      options = { socket, certificates, image, cpus: null, network: 'slirp4netns', wantsNetwork: false };
    });
    afterAll(async () => {
      leave();
      await podman?.close();
    });

    holdToContract(async () => ({
      driver: containerDriver(options),
      driverWithNetwork: containerDriver({ ...options, wantsNetwork: true }),
      left: async () => (await podman.containers()) + (await podman.volumes()),
    }));

    test('the probe reports whether the engine and the image are available, and which limits apply', async () => {
      expect(await containerDriver(options).probe()).toMatchObject({
        driver: 'container',
        isolated: true,
        network: 'none: BOTTEGA_BUILD_NETWORK is off',
        problem: null,
        workspaces: expect.stringContaining('Workspaces need Node in the image'),
      });
      const nowhere = containerDriver({ ...options, socket: '/nowhere.sock' });
      expect((await nowhere.probe()).problem).toContain('/nowhere.sock');
      const unknown = containerDriver({ ...options, image: 'localhost/no-such-image' });
      expect((await unknown.probe()).problem).toContain('no-such-image');
    });
  });
});
