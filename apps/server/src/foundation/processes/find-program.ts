import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Where a program of the system is; null where it is not installed. Beyond PATH also where an ordinary user has none. */
export async function findProgram(name: string, executablePath: string): Promise<string | null> {
  for (const directory of [...executablePath.split(delimiter), '/usr/sbin', '/sbin', '/usr/bin', '/bin']) {
    if (!directory.startsWith('/')) continue;
    const path = join(directory, name);
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return path;
  }
  return null;
}
