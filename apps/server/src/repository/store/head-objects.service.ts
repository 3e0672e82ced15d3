import type { Trx } from '../../foundation/db/index.ts';
import { storeHead } from './head-store.sql.ts';
import { readPackedRows } from './objects.service.ts';
import { bytesOf, type StoredObject } from './objects.sql.ts';

const bytesAtOnce = 4 * 1_048_576;

/**
 * Stores objects that are only in packs as rows again. Everything that a row of main's head refers to needs a row of
 * its own, because it is read with one statement, and copied by statements. A push or a merge can bring back old
 * contents that are only in packs. The caller has locked the project's row.
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
