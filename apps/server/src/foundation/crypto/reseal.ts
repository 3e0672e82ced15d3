import { sql } from 'kysely';
import type { Trx } from '../db/transaction.ts';
import { secretBox } from './secret-box.ts';

/** A bytea column that holds what a box sealed. Each slice names its own; the rotation goes through all of them. */
export type SealedColumn = { table: string; column: string; purpose: string };

export type Keys = { from: Buffer; to: Buffer };

const rowsAtOnce = 500;

/** Opens with the former key and seals with the new one; what does not open stops the whole rotation. */
export function resealer({ from, to }: Keys, purpose: string): (sealed: Buffer) => Buffer {
  const [former, next] = [secretBox(from, purpose), secretBox(to, purpose)];
  return (sealed) => next.seal(former.open(sealed));
}

/** Rows are addressed by where they are: nobody else writes while the table is locked, and each is written once. */
export async function resealColumn(trx: Trx, { table, column, purpose }: SealedColumn, keys: Keys): Promise<number> {
  const [name, field] = [sql.table(table), sql.ref(column)];
  const reseal = resealer(keys, purpose);
  await sql`lock table ${name} in exclusive mode`.execute(trx);
  const { rows } = await sql<{ place: string }>`
    select ctid::text as place from ${name} where ${field} is not null`.execute(trx);
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const places = rows.slice(from, from + rowsAtOnce).map(({ place }) => place);
    const { rows: sealed } = await sql<{ place: string; bytes: Buffer }>`
      select ctid::text as place, ${field} as bytes from ${name} where ctid = any(${places}::tid[])`.execute(trx);
    await sql`
      update ${name} as t set ${sql.ref(column)} = s.bytes
      from unnest(${sealed.map(({ place }) => place)}::tid[], ${sealed.map(({ bytes }) => reseal(bytes))}::bytea[])
        as s(place, bytes)
      where t.ctid = s.place`.execute(trx);
  }
  return rows.length;
}
