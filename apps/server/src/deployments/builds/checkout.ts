import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createBudget } from '../../foundation/concurrency/budget.ts';
import type { Db } from '../../foundation/db/index.ts';
import { inflateObjectAsync } from '../../repository/objects/objects.ts';
import { readObjects, walkTree } from '../../repository/store/index.ts';

/** One content may stand at thousands of places, and takes room at each of them. */
const mostBytes = 4 * 1024 ** 3;
const executable = 0o100755;

/** The files of a tree in an empty directory. Paths are those that the rules of files let through: none leads out of it. */
export async function checkOut(db: Db, projectId: string, tree: Buffer, directory: string): Promise<number> {
  const { files, directories } = await walkTree(db, projectId, { tree, path: '', recursive: true });
  const budget = createBudget({
    name: 'check-out',
    bytes: mostBytes,
    message: `The files of a deployment can have at most ${mostBytes} bytes`,
  });
  const places = Map.groupBy(files, ({ sha }) => sha.toString('hex'));
  for (const { path } of directories) await mkdir(join(directory, path), { recursive: true });
  let written = 0;
  const shas = files.map(({ sha }) => sha);
  for await (const { sha, size, deflated } of readObjects(db, projectId, shas, { type: 'blob' })) {
    const content = await inflateObjectAsync(deflated, size);
    for (const { path, mode } of places.get(sha.toString('hex')) ?? []) {
      budget.spend({ bytes: size });
      // Never over something: the directory was empty, and git has no two entries of one name.
      await writeFile(join(directory, path), content, { mode: mode === executable ? 0o755 : 0o644, flag: 'wx' });
      written++;
    }
  }
  if (written < files.length) throw new Error(`the content of ${files.length - written} files is not stored`);
  return written;
}
