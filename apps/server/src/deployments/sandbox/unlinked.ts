import { readdir, stat } from 'node:fs/promises';

/** More than any build has open; who has more hides some of them. */
const mostDescriptors = 20_000;

/**
 * Bytes of files without a name that these processes still hold open: they use the disk, and no walk finds them. What is
 * behind a descriptor in /proc is the open file itself, and not a path that somebody could turn elsewhere.
 */
export async function unlinkedBytes(pids: readonly number[], device: number): Promise<number> {
  const sizes = new Map<number, number>();
  let left = mostDescriptors;
  for (const pid of pids) {
    const open = (await readdir(`/proc/${pid}/fd`).catch(() => [])).slice(0, left);
    left -= open.length;
    for (const name of open) {
      // It may have been closed, or have ended, since.
      const file = await stat(`/proc/${pid}/fd/${name}`).catch(() => null);
      if (file?.isFile() && file.nlink === 0 && file.dev === device) sizes.set(file.ino, file.blocks * 512);
    }
  }
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
}
