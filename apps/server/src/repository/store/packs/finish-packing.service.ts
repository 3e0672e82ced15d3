import { type Db, type Trx, transaction } from '../../../foundation/db/index.ts';
import { findPacked } from './packed-objects.service.ts';
import { chargePack, deleteObjectRows, holdProject, type Range, rowsOffHead } from './packing.sql.ts';
import { deletePack, finishPack, listPacks } from './packs.sql.ts';
import type { PackPlan } from './plan-pack.service.ts';

const rowsAtOnce = 5_000;

/** Makes a stored pack readable in place of the packs that it replaces, and then deletes the rows that it replaces. */
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

/** Thrown if some of the objects became garbage in the meantime. The next job packs the others. */
class PacksChanged extends Error {}

/**
 * Deletes the rows of packed objects, except those at the head of main. Each step is small and locks the project, so
 * that no object comes to the head meanwhile. Writes to the project wait for one step at most.
 */
export async function deletePackedRows(db: Db, projectId: string): Promise<void> {
  const upTo = Math.max(0, ...(await listPacks(db, projectId)).map((pack) => pack.up_to));
  for (let after: number | undefined = 0; after !== undefined && upTo > 0; ) {
    const range: Range = { after, upTo, most: rowsAtOnce };
    after = await transaction(db, (trx) => deleteSome(trx, projectId, range));
  }
}

/**
 * Deletes the packed rows in a range. Returns the number of the last row that was looked at, or undefined if no rows
 * are left.
 */
async function deleteSome(trx: Trx, projectId: string, range: Range): Promise<number | undefined> {
  if (!(await holdProject(trx, projectId))) return undefined;
  const rows = await rowsOffHead(trx, projectId, range);
  const off = rows.filter(({ isOff }) => isOff).map(({ sha }) => sha);
  // An object that is not in a pack is not deleted, whatever its number is.
  const packed = await findPacked(trx, projectId, off);
  await deleteObjectRows(
    trx,
    projectId,
    off.filter((sha) => packed.has(sha.toString('hex'))),
  );
  return rows.length === range.most ? rows.at(-1)?.seq : undefined;
}
