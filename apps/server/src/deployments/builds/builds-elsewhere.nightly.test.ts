import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWith } from '../../testing/parts/programs.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { deployed, logsOf, projectOf, textOf, visit } from '../../testing/samples/sample-deployments.ts';
import { startTestService, type TestService } from '../../testing/service/test-service.ts';
import { engineByTls } from '../sandbox/engine-by-tls.fixture.ts';
import { type Podman, startPodman } from '../sandbox/podman.fixture.ts';

describeWith(['podman', 'runc', 'tar', 'ldd', 'openssl'], 'with an engine elsewhere', () => {
  let podman: Podman;
  let service: TestService;
  const closing: (() => unknown)[] = [];
  beforeAll(async () => {
    podman = await startPodman();
    const { socket, certificates, close } = await engineByTls(podman);
    const started = await startTestService({
      settings: {
        BOTTEGA_BUILD_DRIVER: 'container',
        BOTTEGA_CONTAINER_SOCKET: socket,
        BOTTEGA_CONTAINER_CERTS: certificates,
        BOTTEGA_BUILD_IMAGE: podman.image,
        BOTTEGA_BUILD_NETWORK: 'off',
        BOTTEGA_BUILD_DISK: '20000000',
      },
    });
    service = started.running;
    closing.push(started.close, close, podman.close);
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });

  const nothingIsLeft = () =>
    waitFor('nothing is left there', async () => (await podman.containers()) + (await podman.volumes()) === '');

  test('the files of a project are sent there, the output comes back, and nothing stays there', async () => {
    const place = await projectOf(service, { '/deep/words.txt': 'from here', '/bottega.json': '{"output": "dist"}' });
    const build_command = 'mkdir dist && cat deep/words.txt > dist/index.html && ls -a . && echo told';
    const { status, url, error, id } = await deployed(place, { build_command });
    expect([status, error]).toEqual(['success', null]);
    expect((await visit(`${url}/`)).text).toBe('from here');
    expect(textOf(await logsOf(place, id))).toContain('told');
    await nothingIsLeft();
  });

  test('a build that fails, or takes too much space, says so and leaves nothing behind either', async () => {
    const place = await projectOf(service, { '/index.html': 'x' });
    expect((await deployed(place, { build_command: 'exit 3' })).error).toMatchObject({ type: 'build_failed' });
    const many = 'for n in 1 2 3 4; do head -c 9000000 /dev/zero > $n; done; sleep 300';
    expect((await deployed(place, { build_command: many })).error).toMatchObject({ type: 'out_of_disk' });
    await nothingIsLeft();
  });
});
