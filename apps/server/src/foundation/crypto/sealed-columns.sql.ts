import { sql } from 'kysely';
import type { Trx } from '../db/transaction.ts';

type Column = { table: string; column: string };

/** `place` is the row's physical position, which stays valid while nobody else writes to the table. */
type SealedRow = { place: string; bytes: Buffer };

export async function listSealedPlaces(trx: Trx, { table, column }: Column): Promise<string[]> {
  const { rows } = await sql<{ place: string }>`
    select ctid::text as place from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(trx);
  return rows.map(({ place }) => place);
}

export async function readSealedRows(trx: Trx, { table, column }: Column, places: string[]): Promise<SealedRow[]> {
  const { rows } = await sql<SealedRow>`
    select ctid::text as place, ${sql.ref(column)} as bytes
    from ${sql.table(table)} where ctid = any(${places}::tid[])`.execute(trx);
  return rows;
}

export async function writeSealedRows(trx: Trx, { table, column }: Column, rows: SealedRow[]): Promise<void> {
  await sql`
    update ${sql.table(table)} as t set ${sql.ref(column)} = s.bytes
    from unnest(${rows.map(({ place }) => place)}::tid[], ${rows.map(({ bytes }) => bytes)}::bytea[]) as s(place, bytes)
    where t.ctid = s.place`.execute(trx);
}
