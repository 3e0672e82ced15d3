import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Failure } from '../terminal/failure.ts';
import { placeOf, readBelow } from './below.ts';

/**
 * Reads a local file. If the folder's content comes from others, a symbolic link could lead to any file of this
 * machine, which would then be sent to the project. So links are not followed.
 */
export async function readLocal(cwd: string, named: string): Promise<Buffer> {
  const place = placeOf(cwd, named);
  const bytes =
    place.root === cwd
      ? await readBelow(place, Number.MAX_SAFE_INTEGER)
      : await readFile(resolve(cwd, named)).catch(() => null);
  if (bytes === null) throw new Failure('notFound', `${named} cannot be read.`);
  return bytes;
}
