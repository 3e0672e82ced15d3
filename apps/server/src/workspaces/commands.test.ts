import type { CommandOutput } from '@bottega/contract';
import { expect, test } from 'vitest';
import { describeWith } from '../testing/parts/programs.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { inProject, writeFile } from '../testing/samples/sample-files.ts';
import {
  inWorkspace,
  newWorkspace,
  run,
  workspacePrograms,
  workspaceSettings,
} from '../testing/samples/sample-workspaces.ts';
import { useTestService } from '../testing/service/test-service.ts';

describeWith(workspacePrograms, 'commands in a workspace', () => {
  const service = useTestService({ settings: { ...workspaceSettings, BOTTEGA_WORKSPACE_MEMORY: '268435456' } });

  test('see the files of the branch, and end with their exit code', async () => {
    const place = await projectOf(service, { '/src/a.txt': 'hello\n' });
    const at = await newWorkspace(place);
    const done = await run(at, 'cat src/a.txt; echo oops >&2; exit 3');
    expect(done).toMatchObject({ exit_code: 3, stdout: 'hello\n', stderr: 'oops\n', truncated: false });
  });

  test('see what the API wrote before them, and their changes are on the branch after them', async () => {
    const place = await projectOf(service, { '/a.txt': 'one\n' });
    const at = await newWorkspace(place);
    await writeFile(place, '/b.txt', 'two\n');
    expect(
      (await run(at, 'cat b.txt; echo three >> b.txt; mkdir -p deep/er; echo new > deep/er/c.txt; rm a.txt')).stdout,
    ).toBe('two\n');
    const files = await inProject<{ data: { path: string }[] }>(place, 'GET', '/files?recursive=true');
    expect(files.text).toContain('/deep/er/c.txt');
    expect(files.text).not.toContain('/a.txt');
  });

  test('in the background keep running, can be followed, get input, and are stopped with all their processes', async () => {
    const at = await newWorkspace(await projectOf(service, { '/a.txt': 'a\n' }));
    const command = 'read line; echo got $line; (setsid sleep 1000 &); sleep 1000';
    const started = await inWorkspace<{ id: string }>(at, 'POST', '/commands', { command, background: true });
    expect(started.status, started.text).toBe(201);
    const { id } = started.body;
    expect((await inWorkspace(at, 'POST', `/commands/${id}/stdin`, { data: 'hello\n' })).status).toBe(204);
    const output = await waitFor('the output', async () => {
      const { body } = await inWorkspace<CommandOutput>(at, 'GET', `/commands/${id}/output`);
      return body.data.length > 0 && body;
    });
    expect(output).toMatchObject({
      status: 'running',
      data: [{ stream: 'stdout', text: 'got hello\n', position: 10 }],
    });
    await inWorkspace(at, 'POST', `/commands/${id}/signal`, { signal: 'SIGKILL' });
    await waitFor(
      'its end',
      async () => (await inWorkspace<{ status: string }>(at, 'GET', `/commands/${id}`)).body.status === 'exited',
    );
    expect((await run(at, 'pgrep -c sleep')).stdout).toBe('0\n');
    const listed = await inWorkspace<{ data: { id: string }[] }>(at, 'GET', '/commands');
    expect(listed.body.data.map((one) => one.id)).toContain(id);
  });

  test('are stopped if they take too long, and lose the beginning of output beyond a megabyte', async () => {
    const at = await newWorkspace(await projectOf(service, { '/a.txt': 'a\n' }));
    expect(await run(at, 'echo begun; sleep 100', { timeout: 1 })).toMatchObject({
      stdout: 'begun\n',
      timed_out: true,
    });
    const long = await run(at, 'yes 0123456789 | head -c 3000000; echo; echo end');
    expect(long.truncated).toBe(true);
    expect(long.stdout.length).toBeLessThanOrEqual(1_048_576 + 65_536);
    expect(long.stdout.endsWith('end\n')).toBe(true);
  });

  test('end with the output so far if they leave a program behind that keeps printing', async () => {
    const at = await newWorkspace(await projectOf(service, { '/a.txt': 'a\n' }));
    const done = await run(at, 'yes &');
    expect(done).toMatchObject({ status: 'exited', exit_code: 0, truncated: true });
    const { id } = done;
    const output = await inWorkspace<CommandOutput>(at, 'GET', `/commands/${id}/output`);
    expect(output.body).toMatchObject({ status: 'exited', truncated: true });
    expect((await run(at, 'pkill -x yes; echo over')).stdout).toBe('over\n');
  });

  test('can be read while they print without end', async () => {
    const at = await newWorkspace(await projectOf(service, { '/a.txt': 'a\n' }));
    const { body } = await inWorkspace<{ id: string }>(at, 'POST', '/commands', { command: 'yes', background: true });
    await waitFor(
      'its output',
      async () => (await inWorkspace<CommandOutput>(at, 'GET', `/commands/${body.id}/output`)).body.truncated,
    );
    for (const part of ['/output', '']) {
      const { status, text } = await inWorkspace(at, 'GET', `/commands/${body.id}${part}`);
      expect(status, text.slice(-200)).toBe(200);
    }
    await inWorkspace(at, 'POST', `/commands/${body.id}/signal`, { signal: 'SIGKILL' });
  });

  test('end alone if they use too much memory, and the workspace goes on', async () => {
    const at = await newWorkspace(await projectOf(service, { '/a.txt': 'a\n' }));
    const greedy = `node -e "const all = []; for (;;) all.push(Buffer.alloc(50_000_000, 1))"`;
    const done = await run(at, greedy, { timeout: 60 });
    expect(done.exit_code).not.toBe(0);
    expect((await run(at, 'echo still here')).stdout).toBe('still here\n');
  });

  test('see no file of the service, no other project, and no address of this machine', async () => {
    const at = await newWorkspace(await projectOf(service, { '/a.txt': 'a\n' }));
    const { port } = new URL(service.url);
    const looked = await run(
      at,
      `ls /; cat /etc/shadow; node -e "fetch('http://127.0.0.1:${port}/healthz').then(() => console.log('reached'), () => console.log('closed'))"`,
    );
    expect(looked.stdout).toContain('closed');
    expect(looked.stdout).not.toContain('root:');
    expect((await run(at, 'env')).stdout).not.toMatch(/BOTTEGA_(NAME|VALUE|SECRET|DATABASE)/);
  });

  test('run only once if they are sent again with the same Idempotency-Key', async () => {
    const at = await newWorkspace(await projectOf(service, { '/a.txt': 'a\n' }));
    const headers = { 'idempotency-key': 'once' };
    const path = `/workspaces/${at.workspace.id}/commands`;
    const send = () => inProject<{ id: string }>(at, 'POST', path, { json: { command: 'echo x >> a.txt' }, headers });
    const [one, other] = [await send(), await send()];
    expect(other.body.id).toBe(one.body.id);
    expect((await run(at, 'cat a.txt')).stdout).toBe('a\nx\n');
  });

  test('that print half of a character at a time are shown with whole characters, to a reader who continues too', async () => {
    const at = await newWorkspace(await projectOf(service, { '/a.txt': 'a\n' }));
    // The last character is never finished.
    const command = "printf 'a\\303'; read line; echo b >&2; printf '\\244\\n\\303'";
    const { body } = await inWorkspace<{ id: string }>(at, 'POST', '/commands', { command, background: true });
    const read = async (after = 0) =>
      (await inWorkspace<CommandOutput>(at, 'GET', `/commands/${body.id}/output?after=${after}`)).body;
    const first = await waitFor('the first character', async () => (await read()).data[0]);
    expect(first).toEqual({ stream: 'stdout', text: 'a', position: 1 });
    await inWorkspace(at, 'POST', `/commands/${body.id}/stdin`, { data: '\n' });
    const { data } = await waitFor('its end', async () => {
      const output = await read(first.position);
      return output.status === 'exited' && output;
    });
    const textOf = (wanted: string) => data.flatMap(({ stream, text }) => (stream === wanted ? [text] : [])).join('');
    expect([textOf('stdout'), textOf('stderr')]).toEqual(['ä\n\ufffd', 'b\n']);
  });
});
