import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '../src/foundation/processes/find-program.ts';
import type { PodmanStore } from '../src/testing/parts/podman-store.ts';
import { waitFor } from '../src/testing/parts/wait-for.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const base = 'docker.io/library/node:24-bookworm-slim';
const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export const image = 'localhost/bottega';

/** As compose.yaml has it, in the words of Podman. */
export const hardened = [
  ...['--read-only', '--tmpfs=/tmp', '--cap-drop=ALL', '--security-opt=no-new-privileges', '--shm-size=256m'],
  ...[`--security-opt=seccomp=${join(root, 'deploy/seccomp.json')}`, '--security-opt=apparmor=unconfined'],
  ...['--security-opt=unmask=ALL', '--network=host'],
];

/** What building it takes; a system without a registry in reach needs all of it. */
export const imagePrograms = ['podman', 'runc', 'mmdebstrap', 'npm'];
export const lacksRoot = (): string | null => (process.getuid?.() === 0 ? null : 'root is needed to make a base image');

/** Builds the image from the sources. It installs a system and all tools of development: minutes. */
export async function buildImage(store: PodmanStore): Promise<void> {
  await provideBase(store);
  await store.podman('build', '--format=docker', '--network=host', `--tag=${image}`, root);
}

/** The image that ours begins with; where its registry cannot be reached, one of the same shape: Debian, Node and npm. */
async function provideBase({ directory, env, podman }: PodmanStore): Promise<void> {
  const isPulled = await podman('pull', '--quiet', base).then(
    () => true,
    () => false,
  );
  if (isPulled) return;
  const file = (name: string) => join(directory, name);
  await copyFile(process.execPath, file('node'));
  // npm reads this one wherever it installs to. A network may have an authority of its own in front of the registry.
  const authorities = process.env.NODE_EXTRA_CA_CERTS;
  await copyFile(authorities ?? '/dev/null', file('authorities.pem'));
  await writeFile(file('npmrc'), authorities ? 'cafile=/usr/local/etc/authorities.pem\n' : '');
  const hooks = [
    'mkdir -p "$1/usr/local/lib/node_modules/npm"',
    `upload ${file('node')} /usr/local/bin/node`,
    `sync-in ${await npmDirectory()} /usr/local/lib/node_modules/npm`,
    `upload ${file('npmrc')} /usr/local/lib/node_modules/npm/npmrc`,
    `upload ${file('authorities.pem')} /usr/local/etc/authorities.pem`,
    'chmod 755 "$1/usr/local/bin/node"; ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"',
    'chroot "$1" useradd --uid 1000 --user-group --create-home node',
  ];
  const options = ['--variant=minbase', '--dpkgopt=path-exclude=/usr/share/doc/*', ...hooks.map(customize)];
  await run('mmdebstrap', [...options, 'bookworm', file('base.tar')], { env, maxBuffer: 2 ** 26 });
  await podman('import', '--quiet', '--change', `ENV ${path}`, file('base.tar'), base);
}

const customize = (hook: string) => `--customize-hook=${hook}`;

async function npmDirectory(): Promise<string> {
  const npm = await findProgram('npm', process.env.PATH ?? '');
  return dirname(dirname(await realpath(npm ?? '')));
}

type Options = { options: string[]; command?: string[] };

/** In the foreground: what it prints is here, a signal goes through to it, and its exit code comes back. */
export async function startContainer({ env, podman }: PodmanStore, { options, command = [] }: Options) {
  const name = 'bottega';
  const child = spawn('podman', ['run', '--rm', '--name', name, ...options, image, ...command], { env, cwd: '/' });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  const ended = once(child, 'close').then(([code]: (number | null)[]) => ({ code: code ?? null }));
  await waitFor('it runs', () => child.exitCode !== null || said.includes('Bottega is running'));
  if (child.exitCode !== null) throw new Error(`it ended: ${said}`);
  return {
    url: /Bottega is running at (\S+)/.exec(said)?.[1] ?? '',
    stdout: () => said,
    signal: (signal: NodeJS.Signals) => void child.kill(signal),
    ended,
    isHealthy: () =>
      podman('healthcheck', 'run', name).then(
        () => true,
        () => false,
      ),
    inside: (...args: string[]) => podman('exec', name, ...args),
  };
}
