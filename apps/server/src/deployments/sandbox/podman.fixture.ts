import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { openPodmanStore } from '../../testing/parts/podman-store.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';

const run = promisify(execFile);
const tools = 'sh sleep cat id env ls head mkdir cp touch wc seq tail bash chown tar du awk'.split(' ');

export type Podman = {
  socket: string;
  image: string;
  containers(): Promise<string>;
  volumes(): Promise<string>;
  removeVolume(name: string): Promise<void>;
  close(): Promise<void>;
};

/** The programs that workspaces need in their image, by name. */
export const workspaceTools: Record<string, string> = {
  node: process.execPath,
  ...Object.fromEntries(['git', 'rm', 'stty', 'find', 'ln'].map((name) => [name, `/usr/bin/${name}`])),
  // For its libraries. The agent brings its own.
  'pty.node': createRequire(import.meta.url).resolve(`@lydell/node-pty-${process.platform}-${process.arch}/pty.node`),
};

/** Podman's server with its own store, and an image made of a few programs of this machine. */
export async function startPodman(more: Record<string, string> = {}): Promise<Podman> {
  const store = await openPodmanStore(tmpdir());
  const { env, podman } = store;
  const file = (name: string) => join(store.directory, name);
  await makeRootFileSystem(file('root'), more);
  await run('tar', ['-C', file('root'), '-cf', file('root.tar'), '.']);
  await podman('import', '-q', file('root.tar'), 'localhost/bottega-test:latest');
  const socket = file('s');
  const server: ChildProcess = spawn('podman', ['system', 'service', '--time=0', `unix://${socket}`], {
    env,
    cwd: '/',
    stdio: 'ignore',
  });
  await waitFor('podman listens', () => existsSync(socket));
  return {
    socket,
    image: 'localhost/bottega-test:latest',
    containers: async () => (await podman('ps', '-a', '-q')).stdout.trim(),
    volumes: async () => (await podman('volume', 'ls', '-q')).stdout.trim(),
    removeVolume: async (name) => void (await podman('volume', 'rm', name)),
    async close() {
      server.kill('SIGTERM');
      await new Promise((resolve) => server.once('exit', resolve));
      await store.close();
    },
  };
}

async function makeRootFileSystem(root: string, more: Record<string, string>): Promise<void> {
  for (const name of ['usr/bin', 'tmp', 'etc', 'proc', 'sys', 'dev', 'workspace'])
    await mkdir(join(root, name), { recursive: true });
  await chmod(join(root, 'tmp'), 0o1777);
  await symlink('usr/bin', join(root, 'bin'));
  const programs = { ...Object.fromEntries(tools.map((name) => [name, `/usr/bin/${name}`])), ...more };
  for (const [name, program] of Object.entries(programs)) {
    const place = join(root, 'usr/bin', name);
    await copyFile(program, place);
    await chmod(place, 0o755);
  }
  // For Node usually only its libraries: the program itself would be most of the image. Runs that need it find it in
  // the workspace.
  for (const program of [...Object.values(programs), process.execPath]) {
    const { stdout } = await run('ldd', [program]);
    for (const [library] of stdout.matchAll(/\/\S+(?= \(0x)/g)) {
      const copy = join(root, library);
      await mkdir(dirname(copy), { recursive: true });
      if (!existsSync(copy)) await copyFile(library, copy);
    }
  }
}
