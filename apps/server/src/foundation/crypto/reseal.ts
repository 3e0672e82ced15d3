import { lockTable } from '../db/database.sql.ts';
import type { Trx } from '../db/transaction.ts';
import { listSealedPlaces, readSealedRows, writeSealedRows } from './sealed-columns.sql.ts';
import { secretBox } from './secret-box.ts';

/** A bytea column with sealed values. Each slice lists its own columns, and a key rotation reseals all of them. */
export type SealedColumn = { table: string; column: string; purpose: string };

export type Keys = { from: Buffer; to: Buffer };

const rowsAtOnce = 500;

/**
 * Opens a value with the old key and seals it with the new one. A value that cannot be opened stops the whole rotation.
 */
export function resealer({ from, to }: Keys, purpose: string): (sealed: Buffer) => Buffer {
  const [former, next] = [secretBox(from, purpose), secretBox(to, purpose)];
  return (sealed) => next.seal(former.open(sealed));
}

/** Reseals a column and writes each row once. The table is locked, so nobody else writes to it meanwhile. */
export async function resealColumn(trx: Trx, sealed: SealedColumn, keys: Keys): Promise<number> {
  const reseal = resealer(keys, sealed.purpose);
  await lockTable(trx, sealed.table, 'exclusive');
  const places = await listSealedPlaces(trx, sealed);
  for (let from = 0; from < places.length; from += rowsAtOnce) {
    const rows = await readSealedRows(trx, sealed, places.slice(from, from + rowsAtOnce));
    const resealed = rows.map(({ place, bytes }) => ({ place, bytes: reseal(bytes) }));
    await writeSealedRows(trx, sealed, resealed);
  }
  return places.length;
}
