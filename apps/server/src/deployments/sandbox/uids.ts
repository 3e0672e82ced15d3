import { chown, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SandboxError } from './driver.ts';

/**
 * The first uid for jobs. If the service runs as root, every job has its own uid, which owns no file of the system and
 * for which limits can be counted.
 */
const firstUid = 60_600;
const uids = 500;
const atOnce = 32;

export type Uids = {
  /** The uid of all runs in this job's directory. They own the directory when this resolves. */
  of(directory: string): Promise<number>;
};

/**
 * Assigns uids to job directories. A directory changes its owner only once, before any run, and keeps its uid as long
 * as it exists. So this code never walks through files that a run left.
 */
export function createUids(): Uids {
  const taken = new Map<number, string>();
  return {
    async of(directory) {
      const { uid: owner } = await lstat(join(directory, 'workspace'));
      if (owner !== 0) return owner;
      const uid = await takeFree(taken, directory);
      // The workspace comes last, because its owner shows whether the change is complete.
      for (const name of ['tmp', 'work', 'merged', 'workspace']) {
        if (await exists(join(directory, name))) await giveTo(uid, join(directory, name));
      }
      return uid;
    },
  };
}

async function takeFree(taken: Map<number, string>, directory: string): Promise<number> {
  for (let uid = firstUid; uid < firstUid + uids; uid++) {
    const holder = taken.get(uid);
    if (holder !== undefined && holder !== directory && (await exists(holder))) continue;
    // Another caller may have taken the uid meanwhile.
    if (taken.get(uid) !== holder) continue;
    taken.set(uid, directory);
    return uid;
  }
  throw new SandboxError(`One worker can isolate at most ${uids} builds and apps`);
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/**
 * Changes the owner of a path and everything below it, without following links. Use it only for files that nobody
 * except the service has written.
 */
export async function giveTo(uid: number, path: string): Promise<void> {
  await chown(path, uid, uid);
  const entries = await readdir(path, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  for (let at = 0; at < files.length; at += atOnce) {
    await Promise.all(files.slice(at, at + atOnce).map(({ name }) => chown(join(path, name), uid, uid)));
  }
  for (const entry of entries) if (entry.isDirectory()) await giveTo(uid, join(path, entry.name));
}
