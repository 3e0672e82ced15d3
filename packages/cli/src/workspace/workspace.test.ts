import type { EventEmitter } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import type {
  Project,
  Workspace,
  WorkspaceCommand,
  WorkspacePort,
  WorkspaceProcess,
  WorkspaceSnapshot,
} from '@bottega/sdk';
import { beforeAll, expect, test } from 'vitest';
import { describeWith } from '../../../../apps/server/src/testing/parts/programs.ts';
import { waitFor } from '../../../../apps/server/src/testing/parts/wait-for.ts';
import { workspacePrograms, workspaceSettings } from '../../../../apps/server/src/testing/samples/sample-workspaces.ts';
import { useTestService } from '../../../../apps/server/src/testing/service/test-service.ts';
import { runCommand } from '../run.ts';
import { useBtg } from '../testing/btg.fixture.ts';

describeWith(workspacePrograms, 'workspaces on the command line', () => {
  const service = useTestService({ settings: workspaceSettings });
  const btg = useBtg();
  let env: Record<string, string>;
  let project: string;

  beforeAll(async () => {
    const { key } = await service.createUser({ name: 'Ada' });
    env = { BOTTEGA_URL: service.url, BOTTEGA_TOKEN: key, PATH: process.env.PATH ?? '' };
    project = (await btg.json<Project>(['projects', 'create', 'Shop'], { env })).id;
    const cwd = await btg.newFolder();
    await writeFile(join(cwd, 'a.txt'), 'from the branch\n');
    expect((await btg(['files', 'put', 'a.txt', '-p', project], { env, cwd })).code).toBe(0);
  });

  const run = (args: string[], stdin = '') => btg(['-p', project, ...args], { env, stdin });
  const ws = (args: string[]) => run(['ws', ...args]);

  test('run creates a workspace for the branch, uses it again, and passes on output and exit code', async () => {
    const first = await run(['run', '--', 'sh', '-c', 'cat a.txt; echo oops >&2; exit 3']);
    expect(first).toMatchObject({ code: 3, stdout: 'from the branch\n' });
    expect(first.stderr).toContain('oops\n');
    expect(first.stderr).toContain('Started the workspace wks_');
    const second = await run(['run', '--set', 'NAME=Ada', 'echo "$NAME" && pwd']);
    expect(second).toMatchObject({ code: 0, stdout: 'Ada\n/workspace\n', stderr: '' });
    const all = await btg.json<Workspace[]>(['ws', 'ls', '-p', project], { env });
    expect(all).toMatchObject([{ branch: 'main', status: 'running' }]);
    expect((await ws(['ls'])).stdout).toContain(all[0]?.id ?? 'no id');
  });

  test('a fork and a workspace from a snapshot start with the files that git ignores', async () => {
    await run(['run', '--', 'sh', '-c', 'mkdir -p node_modules; echo kept > node_modules/x']);
    const made = await btg.json<WorkspaceSnapshot>(['ws', 'snapshot', 'with x', '-p', project], { env });
    expect(made).toMatchObject({ name: 'with x', branch: 'main' });
    expect((await ws(['snapshots'])).stdout).toContain('with x');
    const copy = await btg.json<Workspace>(['ws', 'fork', 'main', '--branch', 'copied', '-p', project], { env });
    expect(copy).toMatchObject({ branch: 'copied', mode: 'own', status: 'running' });
    expect(await ws(['exec', copy.id, '--', 'cat', 'node_modules/x'])).toMatchObject({ code: 0, stdout: 'kept\n' });
    const args = ['ws', 'start', '--snapshot', made.id, '--own', '-p', project];
    const other = await btg.json<Workspace>(args, { env });
    expect(await ws(['exec', other.id, '--', 'cat', 'node_modules/x'])).toMatchObject({ code: 0, stdout: 'kept\n' });
    expect((await ws(['snapshots', '--rm', made.id, '--yes'])).code).toBe(0);
    for (const { id } of [copy, other]) expect((await ws(['rm', id, '--yes'])).code).toBe(0);
  });

  test('run sends standard input if it is told to, and can print JSON lines', async () => {
    expect(await run(['run', '-i', '--', 'tr', 'a-z', 'A-Z'], 'größe\n')).toMatchObject({ code: 0, stdout: 'GRößE\n' });
    expect(await run(['run', '--', 'cat'], 'nobody reads this')).toMatchObject({ code: 0, stdout: '' });
    const { stdout } = await run(['run', '--json', '--', 'echo', 'two words']);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Partial<WorkspaceCommand>);
    expect(lines).toMatchObject([
      { stream: 'stdout', text: 'two words\n' },
      { status: 'exited', exit_code: 0 },
    ]);
  });

  test('Ctrl-C interrupts the command, and its last output and exit code are still shown', async () => {
    const line = 'trap "echo bye; exit 5" INT; echo ready; while :; do sleep 0.1; done';
    const running = await btg.start(['run', '-p', project, line], 'ready', { env });
    running.stop();
    expect(await running.ended).toMatchObject({ code: 5, stdout: 'ready\nbye\n' });
    const other = await btg.start(['run', '-p', project, 'echo ready; exec sleep 60'], 'ready', { env });
    other.stop();
    expect((await other.ended).code).toBe(130);
  });

  test('can be used with ws start, exec, ports, ps, sleep and rm', async () => {
    const own = await btg.json<Workspace>(['ws', 'start', '--own', '--name', 'try', '-p', project], { env });
    expect(own).toMatchObject({ status: 'running', mode: 'own', name: 'try' });
    expect((await ws(['exec', own.branch, '--', 'cat', 'a.txt'])).stdout).toBe('from the branch\n');
    await ws(['exec', own.id, 'node -e "require(\'http\').createServer().listen(3000)" > /dev/null 2>&1 &']);
    const listed = () => btg.json<WorkspacePort[]>(['ws', 'ports', own.id, '-p', project], { env });
    await waitFor('the port is found', async () => (await listed()).some(({ listening }) => listening));
    const changed = await ws(['ports', own.id, '--port', '3000', '--visibility', 'public']);
    expect(changed.stdout).toMatch(/3000 +yes +public +http:/);
    expect(await ws(['ports', own.id, '--visibility', 'owner'])).toMatchObject({ code: 2 });
    const processes = () => btg.json<WorkspaceProcess[]>(['ws', 'ps', own.id, '-p', project], { env });
    const server = (await processes()).find(({ command }) => command.startsWith('node -e'));
    expect((await ws(['ps', own.id])).stdout).toMatch(/MiB .* s +\d+ \w+ ago +node -e/);
    expect((await ws(['ps', own.id, '--kill', `${server?.pid}`])).code).toBe(0);
    await waitFor('the process has ended', async () => !(await processes()).some(({ pid }) => pid === server?.pid));
    expect((await ws(['ps', own.id, '--stop', `${server?.pid}`])).code).toBe(5);
    expect((await ws(['sleep', own.id])).stdout).toContain('sleeping');
    expect(await ws(['rm', own.id])).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect((await ws(['rm', own.id, '--yes'])).code).toBe(0);
    expect((await ws(['exec', own.id, '--', 'true'])).code).toBe(5);
    expect(await ws(['terminal', 'main'])).toMatchObject({ code: 2, stderr: expect.stringContaining('terminal') });
  });

  test('ws terminal opens a terminal of the same size, and leaves the local terminal as it was', async () => {
    const raw: boolean[] = [];
    let seen = '';
    const stdout = Object.assign(
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          seen += chunk.toString();
          done();
        },
      }),
      { isTTY: true, columns: 100, rows: 30 },
    );
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (isRaw: boolean) => raw.push(isRaw) });
    const ended = runCommand(['ws', 'terminal', 'main', '-p', project], {
      ...{ env, cwd: await btg.newFolder(), home: btg.home, stdin, stdout, stderr: stdout, self: [] },
      signal: new AbortController().signal,
      openPage: async () => false,
    });
    await waitFor('the terminal is open', () => raw.length > 0 && seen !== '');
    stdin.write('stty size; tty\n');
    await waitFor('it has our size', () => seen.includes('30 100'));
    Object.assign(stdout, { columns: 120 });
    (stdout as EventEmitter).emit('resize');
    stdin.write('sleep 0.2; stty size; exit 7\n');
    expect(await ended).toBe(7);
    expect(seen).toContain('30 120');
    expect(raw).toEqual([true, false]);
  });
});
