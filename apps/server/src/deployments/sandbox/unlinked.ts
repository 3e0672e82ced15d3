import { readdir, stat } from 'node:fs/promises';

/** Maximum number of descriptors, which is more than any build has open. Further ones are ignored. */
const maxDescriptors = 20_000;

/**
 * Bytes of deleted files that these processes still have open. They use disk space, but no walk finds them. A
 * descriptor in /proc leads to the open file itself and not to a path that could be redirected.
 */
export async function unlinkedBytes(pids: readonly number[], device: number): Promise<number> {
  const sizes = new Map<number, number>();
  let left = maxDescriptors;
  for (const pid of pids) {
    const open = (await readdir(`/proc/${pid}/fd`).catch(() => [])).slice(0, left);
    left -= open.length;
    for (const name of open) {
      // The file may have been closed, or the process ended, in the meantime.
      const file = await stat(`/proc/${pid}/fd/${name}`).catch(() => null);
      if (file?.isFile() && file.nlink === 0 && file.dev === device) sizes.set(file.ino, file.blocks * 512);
    }
  }
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
}
