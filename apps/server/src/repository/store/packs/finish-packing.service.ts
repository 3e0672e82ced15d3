import { type Db, type Trx, transaction } from '../../../foundation/db/index.ts';
import { findPacked } from './packed-objects.service.ts';
import { chargePack, deleteObjectRows, holdProject, type Range, rowsOffHead } from './packing.sql.ts';
import { deletePack, finishPack, listPacks } from './packs.sql.ts';
import type { PackPlan } from './plan-pack.service.ts';

const rowsAtOnce = 5_000;

/** Lets a stored pack be read in place of others, and then deletes the rows that it replaces. */
export async function finishPacking(db: Db, projectId: string, packId: number, plan: PackPlan): Promise<void> {
  const { replaced, after, last } = plan;
  const isFinished = await transaction(db, async (trx) => {
    if (!(await holdProject(trx, projectId))) return false;
    const ids = replaced.map(({ id }) => id);
    await chargePack(trx, { projectId, packId, replaced: ids, after, upTo: last.seq });
    if (await finishPack(trx, packId, replaced)) return true;
    throw new PacksChanged();
  }).catch((error: unknown) => {
    if (error instanceof PacksChanged) return false;
    throw error;
  });
  if (!isFinished) await deletePack(db, packId);
  await deletePackedRows(db, projectId);
}

/** Some of the objects became garbage in the meantime. The next job packs the rest. */
class PacksChanged extends Error {}

/**
 * Deletes the rows of packed objects, except those at the head of main. In small steps, because writes to the project
 * wait for each of them: no object may come to the head meanwhile.
 */
export async function deletePackedRows(db: Db, projectId: string): Promise<void> {
  const upTo = Math.max(0, ...(await listPacks(db, projectId)).map((pack) => pack.up_to));
  for (let after: number | undefined = 0; after !== undefined && upTo > 0; ) {
    const range: Range = { after, upTo, most: rowsAtOnce };
    after = await transaction(db, (trx) => deleteSome(trx, projectId, range));
  }
}

/** The number of the last row that was looked at, unless there are no others. */
async function deleteSome(trx: Trx, projectId: string, range: Range): Promise<number | undefined> {
  if (!(await holdProject(trx, projectId))) return undefined;
  const rows = await rowsOffHead(trx, projectId, range);
  const off = rows.filter(({ isOff }) => isOff).map(({ sha }) => sha);
  // What is not in a pack is not deleted, whatever its number is.
  const packed = await findPacked(trx, projectId, off);
  await deleteObjectRows(
    trx,
    projectId,
    off.filter((sha) => packed.has(sha.toString('hex'))),
  );
  return rows.length === range.most ? rows.at(-1)?.seq : undefined;
}
