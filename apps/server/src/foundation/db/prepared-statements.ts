import { type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import type pg from 'pg';
import { pipelineStatements } from './statement-pipeline.ts';

/** Marks a statement whose best plan depends on its values, such as a search by pattern. */
export const planEachTimeText = '/* plan each time */';
export const planEachTime = sql.raw(planEachTimeText);

/**
 * Marks a statement over a whole table, which may take hours. It must have no values. The client waits for its answer
 * for up to a day, and the caller lifts the server's time limit.
 */
const takingItsTimeText = '/* takes its time */';
export const takingItsTime = sql.raw(takingItsTimeText);
const longestMs = 86_400_000;

/**
 * Maximum number of named statements. Further statements stay unnamed, since each name uses memory in every connection.
 */
const maxNamed = 500;
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known || names.size >= maxNamed || text.includes(planEachTimeText)) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

/**
 * `forEachTransaction` is only set behind a pooler. It is a text of SQL that is sent before the first statement of each
 * transaction.
 */
export type Pool = pg.Pool & { forEachTransaction?: string };

/**
 * Names every statement, so that PostgreSQL parses and plans it once per connection. Planning costs more than running
 * most of our statements. A named statement must list its columns, because `select *` would fail once a migration adds
 * a column. Behind a pooler, no statement is named, because its next execution may run in another session, in which the
 * name does not exist.
 */
export function preparing(pool: Pool): PostgresPool {
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      const known = wrapped.get(client) ?? withNames(client, pool.forEachTransaction);
      wrapped.set(client, known);
      return known;
    },
  };
}

function withNames(client: pg.PoolClient, forEachTransaction: string | undefined): PostgresPoolClient {
  const send = pipelineStatements(client, forEachTransaction);
  const isShared = forEachTransaction !== undefined;
  return {
    query: (text: string, values: unknown[]) => {
      if (values.length === 0 && text.includes(takingItsTimeText))
        return send({ text, values, query_timeout: longestMs });
      // A statement without values is `begin` or `commit`, for which the simple protocol is cheaper.
      const name = values.length > 0 && !isShared ? nameOf(text) : undefined;
      return send(name === undefined ? { text, values } : { name, text, values });
    },
    release: (destroy?: boolean) => client.release(destroy),
  } as unknown as PostgresPoolClient;
}
