import { type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import type pg from 'pg';
import { inFlights } from './flights.ts';

/** Put into a statement whose best plan depends on its values, such as a search by pattern. */
export const planEachTimeText = '/* plan each time */';
export const planEachTime = sql.raw(planEachTimeText);

/** Put into a statement over a whole table, which has no values and whose time limit is lifted: nor does the client give up. */
const takingItsTimeText = '/* takes its time */';
export const takingItsTime = sql.raw(takingItsTimeText);
const longestMs = 86_400_000;

/** Statements beyond this many are sent unnamed: each one named holds memory in every connection of the server. */
const mostNamed = 500;
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known || names.size >= mostNamed || text.includes(planEachTimeText)) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

/** Where a pooler is in between: what goes before the first statement of each transaction. */
export type Pool = pg.Pool & { forEachTransaction?: string };

/**
 * Names every statement, so that PostgreSQL parses and plans it once per connection; planning costs more than running
 * most of ours. Such a statement must list its columns: `select *` would fail once a migration adds one. Behind a pooler
 * none is named: the next one may go to another session, which does not know the name.
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
  const send = inFlights(client, forEachTransaction);
  const isShared = forEachTransaction !== undefined;
  return {
    query: (text: string, values: unknown[]) => {
      if (values.length === 0 && text.includes(takingItsTimeText))
        return send({ text, values, query_timeout: longestMs });
      // Without values it is `begin` or `commit`, and the simple protocol is cheaper.
      const name = values.length > 0 && !isShared ? nameOf(text) : undefined;
      return send(name === undefined ? { text, values } : { name, text, values });
    },
    release: (destroy?: boolean) => client.release(destroy),
  } as unknown as PostgresPoolClient;
}
