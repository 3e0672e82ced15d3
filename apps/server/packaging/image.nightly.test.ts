import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../src/testing/parts/free-port.ts';
import { openPodmanStore, type PodmanStore } from '../src/testing/parts/podman-store.ts';
import { describeUnless, describeWith } from '../src/testing/parts/programs.ts';
import { waitFor } from '../src/testing/parts/wait-for.ts';
import { firstSession } from './first-session.fixture.ts';
import { buildImage, hardened, image, imagePrograms, lacksRoot, startContainer } from './image.fixture.ts';

describeUnless(lacksRoot(), 'the image', () => {
  describeWith(imagePrograms, 'built from the sources', () => {
    let store: PodmanStore;
    beforeAll(async () => {
      // Too large for memory, where other tests have their files.
      store = await openPodmanStore('/var/tmp');
      await buildImage(store);
    }, 1_800_000);
    afterAll(() => store?.close(), 300_000);

    test('runs as an ordinary user on a read-only system, is healthy, builds in its sandbox, and stops at SIGTERM', async () => {
      const [port, appsPort] = [await freePort(), await freePort()];
      const settings = { PORT: port, BOTTEGA_APPS_PORT: appsPort, BOTTEGA_PUBLIC_URL: `http://localhost:${port}` };
      const environment = Object.entries(settings).map(([name, value]) => `--env=${name}=${value}`);
      const options = [...hardened, ...environment, '--volume=/data'];
      const service = await startContainer(store, { options });
      await waitFor('it is healthy', service.isHealthy);
      expect((await service.inside('id', '-u')).stdout).toBe('1000\n');
      await expect(service.inside('touch', '/opt/bottega/x')).rejects.toThrow('Read-only file system');
      await firstSession(service, { build_command: 'mkdir dist && cp index.html dist/' });
    });

    test('has a doctor that says what builds lack without the settings of the sandbox, and what to do about it', async () => {
      const options = [
        '--rm',
        '--read-only',
        '--tmpfs=/tmp',
        '--network=none',
        '--env=BOTTEGA_PUBLIC_URL=http://localhost:3000',
      ];
      const asked = store.podman('run', ...options, image, 'doctor', '--json');
      const { stdout } = await asked.catch((error: { stdout: string }) => error);
      const builds = JSON.parse(stdout).parts.find(({ name }: { name: string }) => name === 'builds');
      expect(builds).toMatchObject({
        status: 'missing',
        message: expect.stringContaining('settings in compose.yaml'),
      });
    });
  });
});
