import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Db } from '../db/pool.ts';
import { readBlobs, walkTree } from '../files/index.ts';
import { inflateObjectAsync } from '../git/objects.ts';

/** So many at once are read into memory. */
const batch = 50;
const executable = 0o100755;

/** The files of a tree in an empty directory. Paths are those that the rules of files let through: none leads out of it. */
export async function checkOut(db: Db, projectId: string, tree: Buffer, directory: string): Promise<number> {
  const { files, directories } = await walkTree(db, projectId, { tree, path: '', recursive: true });
  for (const { path } of directories) await mkdir(join(directory, path), { recursive: true });
  for (let from = 0; from < files.length; from += batch) {
    const some = files.slice(from, from + batch);
    const blobs = await readBlobs(
      db,
      projectId,
      some.map(({ sha }) => sha),
    );
    const bySha = new Map(blobs.map((blob) => [blob.sha.toString('hex'), blob]));
    await Promise.all(
      some.map(async ({ path, mode, sha }) => {
        const blob = bySha.get(sha.toString('hex'));
        if (!blob) throw new Error(`the content of ${path} is not stored`);
        const place = join(directory, path);
        await mkdir(dirname(place), { recursive: true });
        // Never over something: the directory was empty, and git has no two entries of one name.
        const content = await inflateObjectAsync(blob.deflated, blob.size);
        await writeFile(place, content, { mode: mode === executable ? 0o755 : 0o644, flag: 'wx' });
      }),
    );
  }
  return files.length;
}
