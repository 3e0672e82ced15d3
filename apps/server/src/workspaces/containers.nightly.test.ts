import type { Workspace, WorkspacePort, WorkspaceProblemList, WorkspaceTerminal } from '@bottega/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { engineByTls } from '../deployments/sandbox/engine-by-tls.fixture.ts';
import { type Podman, startPodman, workspaceTools } from '../deployments/sandbox/podman.fixture.ts';
import { describeUnless, describeWith } from '../testing/parts/programs.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { projectOf, visit } from '../testing/samples/sample-deployments.ts';
import { contentAt, listPaths, writeFile } from '../testing/samples/sample-files.ts';
import { whyNoLanguages } from '../testing/samples/sample-languages.ts';
import { type InWorkspace, inWorkspace, newWorkspace, run } from '../testing/samples/sample-workspaces.ts';
import { startTestService, type TestService } from '../testing/service/test-service.ts';

const read = async (at: InWorkspace): Promise<Workspace> => (await inWorkspace<Workspace>(at, 'GET', '')).body;

const noLanguages = await whyNoLanguages();
const web = "require('http').createServer((_, r) => r.end('from the workspace')).listen(3000)";

describeWith(['podman', 'runc', 'tar', 'ldd', 'openssl', 'git'], 'a workspace in a container', () => {
  let podman: Podman;
  let service: TestService;
  const closing: (() => unknown)[] = [];

  async function startService(engine: { socket: string; certificates?: string }): Promise<TestService> {
    const { running, close } = await startTestService({
      settings: {
        BOTTEGA_BUILD_DRIVER: 'container',
        BOTTEGA_CONTAINER_SOCKET: engine.socket,
        ...(engine.certificates && { BOTTEGA_CONTAINER_CERTS: engine.certificates }),
        BOTTEGA_BUILD_IMAGE: podman.image,
        BOTTEGA_BUILD_NETWORK: 'off',
        BOTTEGA_WORKSPACES_FREE: 'none',
        BOTTEGA_WORKSPACE_MEMORY: String(256 * 2 ** 20),
        BOTTEGA_WORKSPACE_DISK: String(64 * 2 ** 20),
      },
    });
    closing.unshift(close);
    return running;
  }

  beforeAll(async () => {
    podman = await startPodman(workspaceTools);
    closing.push(podman.close);
    service = await startService(podman);
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });

  const volumesOf = async (at: InWorkspace): Promise<string[]> =>
    (await podman.volumes()).split('\n').filter((name) => name.includes(at.workspace.id));

  test('runs commands with their exit code, as a user without privileges, in a read-only image', async () => {
    const at = await newWorkspace(await projectOf(service, { '/src/a.txt': 'hello\n' }));
    const done = await run(at, 'cat src/a.txt; id -u; echo oops >&2; exit 3');
    expect(done).toMatchObject({ exit_code: 3, stdout: 'hello\n60599\n', stderr: 'oops\n' });
    const tried = await run(at, 'touch /usr/x /opt/bottega/x; cat /proc/self/status; cat /proc/self/mounts');
    expect(tried.stderr.match(/Read-only file system/g)).toHaveLength(2);
    expect(tried.stdout).toMatch(/CapEff:\s+0+\n/);
    expect(tried.stdout).toMatch(/CapBnd:\s+0+\n/);
    expect(tried.stdout).toMatch(/NoNewPrivs:\s+1\n/);
    // A process that lost its parent does not stay as a zombie.
    await run(at, '(sleep 0.1 &) ; true');
    await waitFor('its end', async () => !(await run(at, 'cat /proc/[0-9]*/stat')).stdout.includes(') Z '));
  });

  test('shares its files with the branch in both directions', async () => {
    const place = await projectOf(service, { '/a.txt': 'one\n', '/gone.txt': 'x\n' });
    const at = await newWorkspace(place);
    await writeFile(place, '/b.txt', 'two\n');
    const done = await run(at, 'cat b.txt; echo three >> b.txt; mkdir deep; echo new > deep/c.txt; rm gone.txt');
    expect(done.stdout).toBe('two\n');
    expect(await contentAt(place, '/b.txt')).toBe('two\nthree\n');
    const paths = await listPaths(place);
    expect(paths).toContain('/deep/c.txt');
    expect(paths).not.toContain('/gone.txt');
  });

  test('has terminals', async () => {
    const at = await newWorkspace(await projectOf(service, { '/hello.txt': 'hello\n' }));
    const opened = await inWorkspace<WorkspaceTerminal>(at, 'POST', '/terminals', { cols: 100, rows: 30 });
    expect(opened.status, opened.text).toBe(201);
    const path = `/v1/projects/${at.projectId}/workspaces/${at.workspace.id}/terminals/${opened.body.id}/ws`;
    const ws = new WebSocket(`${service.url.replace('http', 'ws')}${path}`, {
      headers: { authorization: `Bearer ${at.user.key}` },
    });
    let screen = '';
    ws.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) screen += data.toString();
    });
    const closed = new Promise<number>((resolve) => ws.on('close', resolve));
    await new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject));
    ws.send(Buffer.from('cat hello.txt; stty size\n'), { binary: true });
    await waitFor('the size', () => screen.includes('hello\r\n30 100'));
    ws.send(Buffer.from('exit 4\n'), { binary: true });
    expect(await closed).toBe(1000);
  });

  test('serves its ports without opening any port of the container', async () => {
    const at = await newWorkspace(await projectOf(service, { '/web.js': web }));
    await inWorkspace(at, 'POST', '/commands', { command: 'node web.js', background: true });
    const { url } = await waitFor('the port', async () => {
      const { body } = await inWorkspace<{ data: WorkspacePort[] }>(at, 'GET', '/ports');
      return body.data.find(({ port, listening }) => port === 3000 && listening);
    });
    await inWorkspace(at, 'PATCH', '/ports/3000', { visibility: 'public' });
    expect((await visit(`${url}/`)).text).toBe('from the workspace');
  });

  test('sleeps without a container, and wakes with ignored files, unpushed commits and /tmp', async () => {
    const place = await projectOf(service, { '/.gitignore': 'cache/\n', '/a.txt': 'a\n' });
    const at = await newWorkspace(place);
    const begun = await run(
      at,
      'git status --porcelain; mkdir cache; echo kept > cache/x; echo there > /tmp/y; echo more >> a.txt; git commit -qam mine',
    );
    expect(begun).toMatchObject({ exit_code: 0, stdout: '' });
    expect((await inWorkspace<Workspace>(at, 'POST', '/sleep')).body).toMatchObject({ status: 'sleeping' });
    expect(await podman.containers()).not.toContain(at.workspace.id);
    await writeFile(place, '/new.txt', 'new\n');
    const woken = await run(at, 'cat cache/x /tmp/y a.txt new.txt; git log -1 --format=%s');
    expect(woken.stdout).toBe('kept\nthere\na\nmore\nnew\nmine\n');
    expect(await read(at)).toMatchObject({ status: 'running', reason: null });
  });

  test('starts with the branch and the stored files if the engine has lost its volumes', async () => {
    const at = await newWorkspace(await projectOf(service, { '/.gitignore': 'cache/\n', '/a.txt': 'a\n' }));
    await run(at, 'mkdir -p cache/deep; echo kept > cache/deep/x; ln -s a.txt link; echo b > a.txt');
    await inWorkspace(at, 'POST', '/sleep');
    const before = await volumesOf(at);
    expect(before).toHaveLength(2);
    for (const name of before) await podman.removeVolume(name);
    expect((await run(at, 'cat cache/deep/x link; git status --porcelain')).stdout).toBe('kept\nb\n?? link\n');
    expect(await read(at)).toMatchObject({ status: 'running', reason: null });
  });

  test('starts with the result of a setup that ran in another workspace', async () => {
    const workspace = { setup: 'echo done >> log', start: 'echo started >> log' };
    const place = await projectOf(service, { '/bottega.json': JSON.stringify({ workspace }), '/.gitignore': 'log\n' });
    const log = async (at: InWorkspace) => (await run(at, 'cat log')).stdout;
    const first = await newWorkspace(place);
    await waitFor('the start', async () => (await log(first)) === 'done\nstarted\n');
    const second = await newWorkspace(place);
    await waitFor('the second start', async () => (await log(second)) === 'done\nstarted\n');
  });

  test('ends a program that uses too much memory, and goes on', async () => {
    const at = await newWorkspace(await projectOf(service, { '/a.txt': 'a\n' }));
    const greedy = 'node -e "const all = []; for (;;) all.push(Buffer.alloc(50_000_000, 1))"';
    expect((await run(at, greedy, { timeout: 60 })).exit_code).not.toBe(0);
    expect((await run(at, 'echo still here')).stdout).toBe('still here\n');
  });

  test('fails alone if its programs write into the connection of the agent, and starts again', async () => {
    const place = await projectOf(service, { '/a.txt': 'a\n' });
    const [at, other] = [await newWorkspace(place), await newWorkspace(place)];
    await run(other, 'echo here > here.txt');
    const command = 'cat here.txt; head -c 100000 /dev/urandom > /proc/$PPID/fd/1; sleep 300';
    await inWorkspace(at, 'POST', '/commands', { command, background: true });
    await waitFor('it fails', async () => (await read(at)).status === 'failed');
    expect((await run(other, 'cat here.txt')).stdout).toBe('here\n');
    expect((await run(at, 'cat a.txt here.txt')).stdout).toBe('a\nhere\n');
  });

  test('can be forked with its stored ignored files', async () => {
    const at = await newWorkspace(await projectOf(service, { '/.gitignore': 'cache/\n', '/a.txt': 'a\n' }));
    await run(at, 'mkdir cache; echo kept > cache/x; echo b > a.txt');
    await inWorkspace(at, 'POST', '/sleep');
    const forked = await inWorkspace<Workspace>(at, 'POST', '/fork', {});
    expect(forked.status, forked.text).toBe(201);
    const copy = { ...at, workspace: forked.body };
    expect((await run(copy, 'cat cache/x a.txt; git status --porcelain')).stdout).toBe('kept\nb\n');
  });

  describeUnless(noLanguages, 'with language servers', () => {
    test('reports problems of TypeScript and of Python', async () => {
      const files = { '/main.ts': 'export const count: number = "one";\n', '/main.py': 'count: int = "one"\n' };
      const at = await newWorkspace(await projectOf(service, files));
      await run(at, 'true');
      for (const [path, words] of [
        ['main.ts', "Type 'string' is not assignable to type 'number'."],
        ['main.py', 'is not assignable to'],
      ]) {
        const found = await inWorkspace<WorkspaceProblemList>(at, 'GET', `/diagnostics?path=${path}`);
        expect(found.status, found.text).toBe(200);
        expect(found.body.data[0]?.message).toContain(words);
      }
    });
  });

  test('fails with the reason if it uses too much disk space', async () => {
    const at = await newWorkspace(await projectOf(service, { '/.gitignore': 'big*\n' }));
    const command = 'for i in 1 2 3 4; do head -c 30000000 /dev/zero > big$i; done; sleep 300';
    await inWorkspace(at, 'POST', '/commands', { command, background: true });
    await waitFor('it fails', async () => (await read(at)).status === 'failed');
    expect((await read(at)).reason).toBe('The workspace used too much disk space');
  });

  test('leaves nothing in the engine after its deletion', async () => {
    const at = await newWorkspace(await projectOf(service, { '/a.txt': 'a\n' }));
    await run(at, 'echo b > b.txt');
    expect(await volumesOf(at)).toHaveLength(2);
    expect((await inWorkspace(at, 'DELETE', '')).status).toBe(204);
    // Podman cannot list volumes while one is being deleted.
    const left = () => volumesOf(at).catch(() => null);
    await waitFor('the deletion', async () => (await left())?.length === 0, 100_000);
  });

  test('also runs on an engine of another machine', async () => {
    const engine = await engineByTls(podman);
    closing.unshift(engine.close);
    const other = await startService(engine);
    const at = await newWorkspace(await projectOf(other, { '/a.txt': 'a\n' }));
    expect(await run(at, 'cat a.txt; head -c 3000000 /dev/zero | wc -c; exit 5')).toMatchObject({
      exit_code: 5,
      stdout: 'a\n3000000\n',
    });
  });
});
