import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { call } from '../../testing/clients/http-client.ts';
import { describeWith } from '../../testing/parts/programs.ts';
import { buildSettings, deployed, logsOf, projectOf, textOf, visit } from '../../testing/samples/sample-deployments.ts';
import { startTestService, useTestService } from '../../testing/service/test-service.ts';

const settings = {
  ...buildSettings,
  BOTTEGA_BUILD_MEMORY: String(160 * 2 ** 20),
  BOTTEGA_BUILD_PROCESSES: '48',
  BOTTEGA_BUILD_TIMEOUT: '8',
  BOTTEGA_BUILD_DISK: String(16 * 2 ** 20),
};
const plain = { '/index.html': 'x', '/build.mjs': script() };

/** A build with no tool but Node: it makes a page from a template and data. */
function script(): string {
  return `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
mkdirSync('dist', { recursive: true });
writeFileSync('dist/index.html', '<ul>' + readFileSync('index.html', 'utf8').repeat(3) + process.env.GREETING + '</ul>');
`;
}

describeWith(['bwrap', 'prlimit', 'setpriv'], 'with the sandbox that is the default', () => {
  const service = useTestService({ settings });

  test('a build with Node leads to a page', async () => {
    const place = await projectOf(service, plain);
    const done = await deployed(place, {
      build_command: 'node build.mjs',
      environment_variables: { GREETING: 'Hello' },
    });
    expect(done, textOf(await logsOf(place, done.id))).toMatchObject({ status: 'success' });
    expect((await visit(`${done.url}/`)).text).toBe('<ul>xxxHello</ul>');
    expect(textOf(await logsOf(place, done.id))).toContain('Running in the sandbox (bubblewrap)');
  });

  test.each([
    ['a memory hog', 'node -e "const a=[];for(;;)a.push(Buffer.alloc(1e7,1))"', 'out_of_memory'],
    ['a build that fills the disk', 'head -c 33554432 /dev/zero > big; sleep 300', 'out_of_disk'],
    ['a bad command', 'no-such-program', 'build_failed'],
  ])('%s fails with its reason', async (_what, build_command, type) => {
    const place = await projectOf(service, plain);
    expect(await deployed(place, { build_command })).toMatchObject({ status: 'failed', error: { type } });
  });

  test('a fork bomb harms only itself', async () => {
    const place = await projectOf(service, plain);
    const build_command = 'bomb() { bomb | bomb & }; bomb 2>/dev/null; sleep 1; mkdir dist; cp index.html dist';
    await deployed(place, { build_command });
    const next = await deployed(place);
    expect(next.status).toBe('success');
  });

  test('an attempt to read data of the service finds nothing', async () => {
    const place = await projectOf(service, plain);
    const { port } = new URL(service.url);
    const done = await deployed(place, {
      build_command: `mkdir dist; (ls /tmp /var/tmp /root; cat /etc/shadow; env | grep BOTTEGA; node -e "require('net').connect(${port},'127.0.0.1').on('connect',()=>console.log('reached')).on('error',()=>{})") > dist/index.html 2>/dev/null; true`,
    });
    expect((await visit(`${done.url}/`)).text.replace('/tmp:\n', '').trim()).toBe('');
  });

  test('/readyz reports which limits apply', async () => {
    const { body } = await call('GET', `${service.url}/readyz`);
    expect(body).toMatchObject({
      status: 'ready',
      details: { builds: { driver: 'bubblewrap', isolated: true, problem: null, file_size: 'rlimit' } },
    });
  });

  test('no file of a build stays on disk', async () => {
    const place = await projectOf(service, plain);
    const done = await deployed(place, {
      build_command: 'mkdir -p locked/in && chmod 0 locked; mkdir dist; cp index.html dist',
    });
    expect(done.status).toBe('success');
    expect(existsSync(`${buildSettings.BOTTEGA_BUILD_DIR}/${done.id}`)).toBe(false);
  });
});

describeWith(['bwrap', 'prlimit', 'setpriv'], 'without a network', () => {
  const service = useTestService({ settings: { ...settings, BOTTEGA_BUILD_NETWORK: 'off' } });

  test('a build runs, and its log and /readyz say why there is no network', async () => {
    const place = await projectOf(service, plain);
    const done = await deployed(place, { build_command: 'mkdir dist; cp index.html dist' });
    expect(done.status).toBe('success');
    expect(textOf(await logsOf(place, done.id))).toContain('No network: BOTTEGA_BUILD_NETWORK is off');
    const { body } = await call('GET', `${service.url}/readyz`);
    expect(body).toMatchObject({ details: { builds: { network: 'none: BOTTEGA_BUILD_NETWORK is off' } } });
  });
});

test('if no sandbox works, a build fails with that reason, and a plain site can still be deployed', async () => {
  const { running, close } = await startTestService({ settings: { ...settings, BOTTEGA_BUILD_DRIVER: 'none' } });
  const place = await projectOf(running, plain);
  const done = await deployed(place, { build_command: 'true' });
  expect(done).toMatchObject({ status: 'failed', error: { type: 'sandbox_unavailable' } });
  expect(done.error?.message).toContain('BOTTEGA_BUILD_DRIVER');
  expect((await deployed(place)).status).toBe('success');
  await close();
});
