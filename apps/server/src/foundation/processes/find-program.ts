import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/**
 * Returns the path of a system program, or null if it is not installed. Also searches directories that are often not in
 * a user's PATH.
 */
export async function findProgram(name: string, executablePath: string): Promise<string | null> {
  for (const directory of [...executablePath.split(delimiter), '/usr/sbin', '/sbin', '/usr/bin', '/bin']) {
    if (!directory.startsWith('/')) continue;
    const path = join(directory, name);
    const isExecutable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isExecutable) return path;
  }
  return null;
}
