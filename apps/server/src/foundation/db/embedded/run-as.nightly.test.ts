import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { describeAsRoot } from '../../../testing/parts/programs.ts';
import { clusterOf, postmasterPid, query, useDataDirs } from './test-data-dirs.ts';

const dirs = useDataDirs();
const nobody = 65534;

/** An `unshare` that always fails, visible to one process and its children only. */
const hide = 'mount --bind /bin/false "$(command -v unshare)" && exec "$0" "$@"';
const withoutNamespaces = ['unshare', '--mount', '/bin/sh', '-c', hide];

/** Effective user ids as seen from here, not from inside a namespace. */
async function userOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^Uid:\t\d+\t(\d+)/m.exec(status)?.[1]);
}

function succeeds(file: string, args: string[], options: { uid?: number } = {}): boolean {
  try {
    execFileSync(file, args, { ...options, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The programs and the fixture are below the repository's directory. */
function repositoryIsOpen(): boolean {
  return succeeds('/bin/sh', ['-c', 'test -r "$0"', import.meta.filename], { uid: nobody });
}

const closed = 'the repository lies below a directory that other users may not enter';

/** A path for a data directory whose parent belongs to the user. */
async function freshFor(uid: number, mode: number): Promise<string> {
  const dir = dirs.fresh();
  await mkdir(dirname(dir), { mode });
  await chown(dirname(dir), uid, uid);
  return dir;
}

// These tests need root to become someone else. Without root, all other tests here run as an ordinary user.
describeAsRoot('as root', () => {
  test('the server runs below a directory that only root may enter', async () => {
    const parent = await mkdtemp(join(homedir(), '.bottega-test-'));
    try {
      await chmod(parent, 0o700);
      const dir = dirs.fresh('data', parent);
      const database = await dirs.open(dir);
      expect(await query(database.connection, 'SELECT 1')).toEqual([1]);
      await database.close();
    } finally {
      await rm(parent, { recursive: true });
    }
  });

  test('a cluster made by an ordinary user works, and stays usable by that user', async (context) => {
    context.skip(!repositoryIsOpen(), closed);
    const dir = await freshFor(nobody, 0o755);
    const asNobody = { uid: nobody, gid: nobody };

    const user = await dirs.spawnHolder([dir], asNobody);
    expect(user.error).toBeUndefined();
    expect(await userOf(await postmasterPid(dir))).toBe(nobody);
    user.child.stdin.end();
    await once(user.child, 'exit');

    const root = await dirs.open(dir, { holder: 'command' });
    expect(await userOf(await postmasterPid(dir))).toBe(nobody);
    await root.close();

    const again = await dirs.spawnHolder([dir], asNobody);
    expect(again.error).toBeUndefined();
    again.child.stdin.end();
    await once(again.child, 'exit');
  });

  test('a system user runs the server if user namespaces are not available', async (context) => {
    context.skip(!succeeds('unshare', ['--mount', 'true']), 'mounts are not allowed here');
    context.skip(!repositoryIsOpen(), closed);
    const dir = await freshFor(0, 0o755);
    const { error, connection, child } = await dirs.spawnHolder([dir], { prefix: withoutNamespaces });
    expect(error).toBeUndefined();
    expect(await query(connection, 'SELECT 1')).toEqual([1]);
    const owner = (await stat(clusterOf(dir))).uid;
    expect(owner).not.toBe(0);
    expect(await userOf(await postmasterPid(dir))).toBe(owner);
    expect((await stat(dir)).mode & 0o777).toBe(0o710);
    child.stdin.end();
    await once(child, 'exit');
  });

  test('without user namespaces, a directory that no other user may enter is refused in one line', async (context) => {
    context.skip(!succeeds('unshare', ['--mount', 'true']), 'mounts are not allowed here');
    const dir = await freshFor(0, 0o700);
    const { error } = await dirs.spawnHolder([dir], { prefix: withoutNamespaces });
    expect(error?.message).toMatch(/^PostgreSQL refuses to run as root[^\n]* set DATABASE_URL$/);
  });
});
