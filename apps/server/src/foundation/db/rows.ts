import { sql } from 'kysely';
import type { Queries } from './transaction.ts';

type Statement = Parameters<typeof sql>;

/** Runs the statement behind it, which is written as with `sql`: all of its rows. */
export const allRows =
  <Row>(db: Queries) =>
  async (...statement: Statement): Promise<Row[]> =>
    (await sql<Row>(...statement).execute(db)).rows;

/** The same where one row is looked for. */
export const firstRow =
  <Row>(db: Queries) =>
  async (...statement: Statement): Promise<Row | undefined> =>
    (await sql<Row>(...statement).execute(db)).rows[0];
