import type { UsageHistory } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import {
  buildSettings,
  deploy,
  deployed,
  logsOf,
  projectOf,
  readDeployment,
  textOf,
  untilEnded,
  visit,
} from '../../testing/samples/sample-deployments.ts';
import { inProject } from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { processesMarked } from '../sandbox/process-tree.ts';

const service = useTestService({
  settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process', BOTTEGA_BUILD_TIMEOUT: '2' },
});
const plain = { '/index.html': 'as it is' };

describe('a build', () => {
  test('runs the command of the request and serves the usual output directory', async () => {
    const place = await projectOf(service, { '/page.txt': 'made' });
    const done = await deployed(place, { build_command: 'mkdir dist && (echo "<p>"; cat page.txt) > dist/index.html' });
    expect(done).toMatchObject({ status: 'success', error: null });
    expect((await visit(`${done.url}/`)).text).toBe('<p>\nmade');
    const logs = await logsOf(place, done.id);
    expect(logs.every(({ level }) => level === 'info')).toBe(true);
    expect(textOf(logs)).toMatch(
      /Building commit [0-9a-f]{10} of main for production\nChecked out 1 files\nRunning in/,
    );
  });

  test('takes command and directory from bottega.json, unless an empty command in the request switches the build off', async () => {
    const file = JSON.stringify({ build: 'mkdir -p out/web && echo built > out/web/index.html', output: 'out/web' });
    const place = await projectOf(service, { ...plain, '/bottega.json': file });
    const built = await deployed(place);
    expect((await visit(`${built.url}/`)).text).toBe('built\n');
    const unbuilt = await deployed(place, { build_command: '', output_directory: '.' });
    expect((await visit(`${unbuilt.url}/`)).text).toBe('as it is');
    expect((await visit(`${unbuilt.url}/bottega.json`)).status).toBe(404);
  });

  test('that fails reports its exit code, and its output is in the log', async () => {
    const place = await projectOf(service, plain);
    const done = await deployed(place, { build_command: 'echo out; echo err >&2; exit 3' });
    expect(done).toMatchObject({ status: 'failed', url: null, is_live: false, completed_at: expect.any(String) });
    const message = expect.stringContaining('3');
    const coded = { message_code: 'build_exited', message_values: { code: '3' } };
    expect(done.error).toEqual({ type: 'build_failed', message, exit_code: 3, output: 'err', source: null, ...coded });
    const logs = await logsOf(place, done.id);
    expect(logs).toContainEqual(expect.objectContaining({ level: 'info', stream: 'stdout', message: 'out' }));
    expect(logs).toContainEqual(expect.objectContaining({ level: 'warn', stream: 'stderr', message: 'err' }));
    expect(logs.at(-1)).toMatchObject({ level: 'error', stream: 'system' });
  });

  test('that fails with a long line reports it, even if the part that is kept ends inside a character', async () => {
    const place = await projectOf(service, plain);
    const long = `${'x'.repeat(499)}😀`;
    const done = await deployed(place, { build_command: `echo '${long} and more' >&2; exit 3` });
    expect(done.error).toMatchObject({ type: 'build_failed', exit_code: 3, output: `${'x'.repeat(499)}\ufffd` });
  });

  test('adds its duration to the usage of its owner on that day, whatever its result', async () => {
    const place = await projectOf(service, plain);
    await deployed(place, { build_command: 'sleep 0.6; mkdir dist; echo x > dist/index.html' });
    await deployed(place, { build_command: 'sleep 0.6; exit 1' });
    const { body } = await call<UsageHistory>('GET', `${service.url}/v1/user/usage/history?days=2`, {
      token: place.user.key,
    });
    // The period may span two days, if one began in between.
    expect(body.data.reduce((sum, { deployments }) => sum + deployments, 0)).toBe(2);
    expect(body.data.reduce((sum, { build_seconds }) => sum + build_seconds, 0)).toBeGreaterThanOrEqual(1);
  });

  test('that takes too long is ended, with all its processes', async () => {
    const place = await projectOf(service, plain);
    const done = await deployed(place, { build_command: 'sleep 300 & sleep 301' });
    expect(done).toMatchObject({ status: 'failed', error: { type: 'timed_out' } });
    expect(await processesMarked(`BOTTEGA_RUN=${done.build_id}`)).toEqual([]);
  });

  test('leaves no process behind when it succeeds', async () => {
    const place = await projectOf(service, plain);
    const done = await deployed(place, { build_command: 'setsid sleep 300 & (setsid sleep 301 &); true' });
    expect(done.status).toBe('success');
    expect(await processesMarked(`BOTTEGA_RUN=${done.build_id}`)).toEqual([]);
  });

  test.each([
    ['not JSON', 'no', 'not a JSON object'],
    ['a list', '[]', 'not a JSON object'],
    ['a command that is no text', '{"build": 1}', 'build must be a string'],
  ])('fails with a reason if bottega.json is %s', async (_what, file, reason) => {
    const done = await deployed(await projectOf(service, { ...plain, '/bottega.json': file }));
    expect(done).toMatchObject({ status: 'failed', error: { type: 'bad_project_file' } });
    expect(done.error?.message).toContain(reason);
  });

  test.each([
    ['outside the project', '../other', 'outside'],
    ['that is not there', 'nowhere', 'The directory nowhere'],
    ['behind a link', 'link', 'The directory link'],
  ])('does not serve a directory %s', async (_what, output_directory, reason) => {
    const place = await projectOf(service, plain);
    const done = await deployed(place, { build_command: 'ln -s /etc link', output_directory });
    expect(done).toMatchObject({ status: 'failed', error: { type: 'nothing_to_serve' } });
    expect(done.error?.message).toContain(reason);
    const code = reason === 'outside' ? 'output_outside' : 'output_missing';
    const values = reason === 'outside' ? {} : { directory: output_directory };
    expect(done.error).toMatchObject({ message_code: code, message_values: values });
  });

  test('does not follow links out of the output directory, but follows links within it', async () => {
    const place = await projectOf(service, plain);
    const build_command =
      'mkdir -p dist/real && echo in > dist/real/a.txt && ln -s real/a.txt dist/a.txt && ln -s /etc/hostname dist/out.txt && ln -s ../index.html dist/up.html && ln -s /etc dist/etc && cp index.html dist';
    const done = await deployed(place, { build_command });
    expect(done.status).toBe('success');
    expect((await visit(`${done.url}/a.txt`)).text).toBe('in\n');
    for (const path of ['/out.txt', '/up.html', '/etc/hostname']) {
      expect((await visit(`${done.url}${path}`)).status).toBe(404);
    }
  });

  test('gets the variables but nothing from the environment of the service', async () => {
    const place = await projectOf(service, plain);
    process.env.OF_THE_SERVICE = 'secret';
    const done = await deployed(place, {
      build_command: 'mkdir dist; env > dist/index.html',
      environment_variables: { MINE: 'here', TWO_LINES: 'a\nb' },
    });
    const { text } = await visit(`${done.url}/`);
    expect(text).toContain('MINE=here\n');
    expect(text).toContain('TWO_LINES=a\nb\n');
    expect(text).not.toContain('OF_THE_SERVICE');
    expect(text).not.toContain('PG');
  });
});

describe('canceling', () => {
  test('a running build is confirmed once none of its processes is left, and the queue continues', async () => {
    const place = await projectOf(service, plain);
    const running = await deploy(place, { build_command: 'sleep 300 & echo begun; sleep 301' });
    const next = await deploy(place);
    await waitFor('it has begun', async () => textOf(await logsOf(place, running.id)).includes('begun'));
    const answer = await inProject(place, 'POST', `/deployments/${running.id}/cancel`);
    expect(answer).toMatchObject({ status: 200, body: { status: 'canceled', error: { type: 'canceled' } } });
    expect(await processesMarked(`BOTTEGA_RUN=${running.build_id}`)).toEqual([]);
    expect((await untilEnded(place, next.id)).status).toBe('success');
    const again = await inProject(place, 'POST', `/deployments/${running.id}/cancel`);
    expectError(again, { status: 409, code: 'CONFLICT' });
  });

  test('a waiting build takes it out of the queue', async () => {
    const place = await projectOf(service, plain);
    const first = await deploy(place, { build_command: 'sleep 1' });
    const second = await deploy(place);
    expect(second.queue_position).toBeGreaterThan(0);
    const answer = await inProject(place, 'POST', `/deployments/${second.id}/cancel`);
    expect(answer).toMatchObject({ status: 200, body: { status: 'canceled', started_at: null, duration: 0 } });
    expect((await untilEnded(place, first.id)).status).toBe('success');
    expect((await readDeployment(place, second.id)).status).toBe('canceled');
  });

  test('a build twice at once cancels it once', async () => {
    const place = await projectOf(service, plain);
    const running = await deploy(place, { build_command: 'echo begun; sleep 300' });
    await waitFor('it has begun', async () => textOf(await logsOf(place, running.id)).includes('begun'));
    const path = `/deployments/${running.id}/cancel`;
    const both = await Promise.all([inProject(place, 'POST', path), inProject(place, 'POST', path)]);
    for (const { status } of both) expect([200, 409]).toContain(status);
    const { rows } = await service.pool.query(
      `select count(*) from events where type = 'deployment.failed' and data->>'deployment_id' = $1`,
      [running.id],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });
});
