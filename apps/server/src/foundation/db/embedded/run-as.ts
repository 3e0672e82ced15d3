import { execFile } from 'node:child_process';
import { chmod, chown, lchown, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedDatabaseError } from './errors.ts';
import type { Layout, Owner } from './layout.ts';

/**
 * The user as which the programs of PostgreSQL run. They refuse uid 0, so as root there are three ways, in this order:
 *
 * 1. The cluster belongs to another user (created earlier by an ordinary user, or in way 3): become that user.
 * 2. A user namespace in which we have a harmless name. Outside it, the process is still root's, without its
 *    capabilities, so files below a 0700 directory of root stay reachable.
 * 3. A system user, if namespaces are forbidden (in most containers). It becomes the owner of the files.
 */
export type RunAs = { prefix: string[]; owner?: Owner };

/**
 * The server does not get our environment: it may hold secrets, and PGPORT, PGOPTIONS or LD_LIBRARY_PATH would change
 * what PostgreSQL does. PATH is only for finding `unshare`.
 */
export const cleanEnvironment = {
  PATH: '/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin:/run/current-system/sw/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

const inNamespace: RunAs = {
  prefix: ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'],
};

/** Returns the file, arguments and options for `spawn` and `execFile`. */
export function commandAs(runAs: RunAs, program: string, args: string[]) {
  const [file = program, ...rest] = [...runAs.prefix, program, ...args];
  // The user that we become may have no access to our working directory.
  return { file, args: rest, options: { cwd: '/', env: cleanEnvironment, ...runAs.owner } };
}

export async function chooseRunAs(postgres: string, layout: Layout): Promise<RunAs> {
  if (process.geteuid?.() !== 0) return { prefix: [] };
  const { uid, gid } = await stat(layout.cluster).catch(() => stat(layout.root));
  if (uid !== 0) return { prefix: [], owner: { uid, gid } };
  if (await works(inNamespace, postgres, `test -w "$1"`, layout.root)) return inNamespace;
  for (const candidate of await systemUsers()) {
    const runAs = { prefix: [], owner: candidate };
    if (!(await works(runAs, postgres, `test -x "$1"`, dirname(layout.dataDir)))) continue;
    await handOver(layout, candidate);
    return runAs;
  }
  throw new EmbeddedDatabaseError(
    `PostgreSQL refuses to run as root, and neither a user namespace nor a system user can run it in ${layout.root}: ` +
      'start Bottega as an ordinary user, or set DATABASE_URL',
  );
}

/**
 * Whether PostgreSQL can run in this way. Kernels, containers and mounts can forbid it for so many reasons that the
 * only test is to try.
 */
async function works(runAs: RunAs, postgres: string, test: string, dir: string): Promise<boolean> {
  const script = `"$0" -V && ${test}`;
  const { file, args, options } = commandAs(runAs, '/bin/sh', ['-c', script, postgres, dir]);
  return promisify(execFile)(file, args, options).then(
    () => true,
    () => false,
  );
}

async function systemUsers(): Promise<Owner[]> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  const users = ['postgres', '_postgres', 'nobody'].map((name) => {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    return { uid: Number(uid), gid: Number(gid) };
  });
  return users.filter(({ uid, gid }) => uid > 0 && gid > 0);
}

/**
 * Makes this user the owner of the database directory. The group may pass through the data directory but not list it.
 */
async function handOver({ dataDir, root }: Layout, { uid, gid }: Owner): Promise<void> {
  const { mode } = await stat(dataDir);
  if ((mode & 0o001) === 0) {
    await chown(dataDir, 0, gid);
    await chmod(dataDir, (mode & 0o700) | 0o010);
  }
  await chown(root, uid, gid);
  for (const entry of await readdir(root, { recursive: true })) {
    await lchown(join(root, entry), uid, gid);
  }
}
