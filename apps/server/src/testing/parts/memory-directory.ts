import { readFileSync, statfsSync } from 'node:fs';

const path = '/dev/shm';
const leastRoom = 4 * 2 ** 30;

/**
 * A directory in memory for temporary data: databases and repositories are thousands of small files, which a disk takes
 * ten times as long to create. Undefined if such a directory has too little room, or if programs must not run from it,
 * as in many containers.
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
    // This system is not Linux.
    return undefined;
  }
}
