import { CompiledQuery, sql } from 'kysely';
import { withNextText } from '../../foundation/db/flights.ts';
import { cleanRows, type Db, type Question, type Trx } from '../../foundation/db/index.ts';

/** Which of these whoever passed them on has given up. Asked behind the lock of the project's row. */
export const findingGivenUp = (ids: string[]): Question<Set<string>, { id: string }> => ({
  query: CompiledQuery.raw('select id from given_up_writes where id = any($1::text[])', [ids]),
  read: (rows) => new Set(rows.map(({ id }) => id)),
});

const noneGivenUpText = `${withNextText}
  select must_hold(not exists (select from given_up_writes where id = any($1::text[])))`;

/** The transaction fails where any of them is. */
export async function noneGivenUp(trx: Trx, ids: string[]): Promise<void> {
  if (ids.length > 0) await trx.executeQuery(CompiledQuery.raw(noneGivenUpText, [ids]));
}

export async function insertGivenUp(trx: Trx, ids: string[]): Promise<void> {
  await sql`insert into given_up_writes (id) select unnest(${ids}::text[]) on conflict do nothing`.execute(trx);
}

/** A node that comes to itself after a day has no connection to the database any more. */
export const cleanGivenUp = (db: Db): Promise<void> =>
  cleanRows(db, { table: 'given_up_writes', by: 'id', where: sql`gone.given_up_at < now() - interval '1 day'` });
