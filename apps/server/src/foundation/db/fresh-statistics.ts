import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

type Options = { pool: pg.Pool; onError: (error: unknown) => void; busyMs?: number; idleMs?: number };

export type FreshStatistics = { stop(): Promise<void> };

/**
 * A prepared statement keeps its plan until the statistics of its tables change. While a table is empty, all plans look
 * equally good. A plan that is made then may read all rows of a project instead of looking one up, and the statement
 * keeps that plan while the table grows. PostgreSQL's autovacuum, which updates the statistics, runs once a minute. So
 * on a new installation, or during an import of many files, requests would take a hundred times as long for up to a
 * minute. Therefore, this code analyses tables that have grown by half within about a second. Tables that grow slowly
 * are left to autovacuum.
 */
export function keepStatisticsFresh({ pool, onError, busyMs = 1_000, idleMs = 10_000 }: Options): FreshStatistics {
  const stopping = new AbortController();
  const { signal } = stopping;
  const watching = (async () => {
    let quietRounds = 0;
    while (!signal.aborted) {
      const analysed = await analyseGrownTables(pool).catch((error: unknown) => {
        onError(error);
        return 0;
      });
      quietRounds = analysed > 0 ? 0 : quietRounds + 1;
      await delay(quietRounds < 30 ? busyMs : idleMs, undefined, { signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}

/**
 * Analyses the tables that have grown, and returns their number. Changed rows do not count, because a small table of
 * counters can change a thousand times a second without growing. A table that is being vacuumed or analysed is skipped.
 */
export async function analyseGrownTables(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ name: string }>(`
    select s.relid::regclass::text as name
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.schemaname = current_schema() and s.n_live_tup > 100 + 1.5 * greatest(c.reltuples, 0)`);
  if (rows.length > 0) await pool.query(`analyze (skip_locked) ${rows.map(({ name }) => name).join(', ')}`);
  return rows.length;
}
