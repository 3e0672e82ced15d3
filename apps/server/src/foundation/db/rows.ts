import { sql } from 'kysely';
import type { Queries } from './transaction.ts';

type Statement = Parameters<typeof sql>;

/** Runs a statement in a template literal, as with Kysely's `sql`, and returns all rows. */
export const allRows =
  <Row>(db: Queries) =>
  async (...statement: Statement): Promise<Row[]> =>
    (await sql<Row>(...statement).execute(db)).rows;

/** Runs a statement in a template literal, as with Kysely's `sql`, and returns the first row. */
export const firstRow =
  <Row>(db: Queries) =>
  async (...statement: Statement): Promise<Row | undefined> =>
    (await sql<Row>(...statement).execute(db)).rows[0];
