import { chown, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SandboxError } from './driver.ts';

/** As root every job has a uid of its own, that no file of the system belongs to, and that the limits count. */
const firstUid = 60_600;
const uids = 500;

export type Uids = {
  /** The uid that runs in this job's directory have, all of them; the directory is theirs when this resolves. */
  of(directory: string): Promise<number>;
};

/**
 * A directory is given away once, before anything ran in it, and keeps its uid for as long as it is there: what a run
 * has left in it is nothing that we walk through.
 */
export function createUids(): Uids {
  const taken = new Map<number, string>();
  return {
    async of(directory) {
      const { uid: owner } = await lstat(join(directory, 'workspace'));
      if (owner !== 0) return owner;
      const uid = await takeFree(taken, directory);
      // The workspace comes last: whose it is tells whether all of this is done.
      for (const name of ['tmp', 'workspace']) await giveTo(uid, join(directory, name));
      return uid;
    },
  };
}

async function takeFree(taken: Map<number, string>, directory: string): Promise<number> {
  for (let uid = firstUid; uid < firstUid + uids; uid++) {
    const holder = taken.get(uid);
    if (holder !== undefined && holder !== directory && (await exists(holder))) continue;
    // Somebody else may have taken it while we looked.
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

/** Everything below, without following a link. Only for what nobody but us has written to so far. */
export async function giveTo(uid: number, path: string): Promise<void> {
  await chown(path, uid, uid);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) await giveTo(uid, child);
    else if (entry.isFile()) await chown(child, uid, uid);
  }
}
