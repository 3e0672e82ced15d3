import { readFileSync, statfsSync } from 'node:fs';

const path = '/dev/shm';
const leastRoom = 4 * 2 ** 30;

/**
 * A directory in memory, for what no test keeps: databases and repositories are thousands of small files, which a disk takes
 * ten times as long to make. Only where there is room for all of them and programs may be run from it, which many containers
 * forbid.
 */
export function memoryDirectory(): string | undefined {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === path);
    if (!mount || mount.includes('noexec')) return undefined;
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize >= leastRoom ? path : undefined;
  } catch {
    // No Linux.
    return undefined;
  }
}
