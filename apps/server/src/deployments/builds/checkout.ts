import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createBudget } from '../../foundation/concurrency/budget.ts';
import type { Db } from '../../foundation/db/index.ts';
import { inflateObjectAsync } from '../../repository/objects/objects.ts';
import { readObjects, walkTree } from '../../repository/store/index.ts';

/** Largest checkout in bytes. The same content may be at thousands of paths and takes space at each. */
const maxBytes = 4 * 1024 ** 3;
const executable = 0o100755;
/** Files that are written at the same time. */
const atOnce = 16;

/**
 * Writes the files of a tree into an empty directory. Paths were checked when they were stored, so none leads out of
 * it.
 */
export async function checkOut(db: Db, projectId: string, tree: Buffer, directory: string): Promise<number> {
  const { files, directories } = await walkTree(db, projectId, { tree, path: '', recursive: true });
  const budget = createBudget({
    name: 'check-out',
    bytes: maxBytes,
    message: `The files of a deployment can have at most ${maxBytes} bytes in total`,
  });
  const places = Map.groupBy(files, ({ sha }) => sha.toString('hex'));
  for (const { path } of directories) await mkdir(join(directory, path), { recursive: true });
  let written = 0;
  let batch: { path: string; content: Buffer; mode: number }[] = [];
  const writeBatch = async () => {
    // Never overwrites: the directory was empty, and a git tree has no duplicate names.
    await Promise.all(batch.map(({ path, content, mode }) => writeFile(path, content, { mode, flag: 'wx' })));
    written += batch.length;
    batch = [];
  };
  const shas = files.map(({ sha }) => sha);
  for await (const { sha, size, deflated } of readObjects(db, projectId, shas, { type: 'blob' })) {
    const content = await inflateObjectAsync(deflated, size);
    for (const { path, mode } of places.get(sha.toString('hex')) ?? []) {
      budget.spend({ bytes: size });
      batch.push({ path: join(directory, path), content, mode: mode === executable ? 0o755 : 0o644 });
      if (batch.length >= atOnce) await writeBatch();
    }
  }
  await writeBatch();
  if (written < files.length) throw new Error(`the content of ${files.length - written} files is not stored`);
  return written;
}
