import type { Trx } from '../../foundation/db/index.ts';
import { storeHead } from './head-store.sql.ts';
import { readPackedRows } from './objects.service.ts';
import { bytesOf, type StoredObject } from './objects.sql.ts';

const bytesAtOnce = 4 * 1_048_576;

/**
 * Stores objects as rows again that are only in packs. Everything that a row of main's head refers to has a row of its
 * own: it is read with one statement, and by statements that copy files. A push or a merge can bring back old contents.
 * The caller has locked the project's row.
 */
export async function storeAsRows(trx: Trx, projectId: string, shas: Buffer[]): Promise<void> {
  let batch: StoredObject[] = [];
  const store = async (): Promise<void> => {
    if (batch.length > 0) await storeHead(trx, new Date(), { projectId, objects: batch });
    batch = [];
  };
  for await (const object of readPackedRows(trx, projectId, shas)) {
    batch.push(object);
    if (bytesOf(batch) > bytesAtOnce) await store();
  }
  await store();
}
