import { sql } from 'kysely';
import { type Heartbeat, startHeartbeat } from '../concurrency/heartbeat.ts';
import type { PartHealth } from '../slice.ts';
import { type Db, openDb, openPool } from './pool.ts';

export type Replica = {
  /** Null while the replica is unavailable, or may be further behind than allowed. */
  reads(): Db | null;
  /** An upper bound, in milliseconds, for how far the replica is behind. */
  behindMs(): number;
  health(): PartHealth;
  start(): Promise<void>;
  stop(): Promise<void>;
};

type Options = {
  url: string;
  maxLagMs: number;
  connections: number;
  /** For queries to the primary. */
  vital: Db;
  onChange(isUsed: boolean, problem: string | null): void;
};

/** The position in the log of the primary at a certain time. */
type Mark = { at: number; lsn: number };
type Place = { server: string; lsn: number | null };

const placeOf = async (db: Db, lsn: 'pg_current_wal_lsn' | 'pg_last_wal_replay_lsn'): Promise<Place> => {
  const { rows } = await sql<Place>`
    select (select system_identifier::text from pg_control_system()) as server,
      case when pg_is_in_recovery() = ${lsn === 'pg_last_wal_replay_lsn'}
        then (${sql.raw(lsn)}() - '0/0'::pg_lsn)::bigint end as lsn`.execute(db);
  return rows[0] ?? { server: '', lsn: null };
};

/**
 * Opens a standby for reads whose results may be slightly old. How far it is behind is computed from its position in
 * the log. The time of its last replayed transaction would not do, because it does not advance while nothing is
 * written. If the standby has replayed everything that the primary had written at a certain time, it is current at
 * least up to that time.
 */
export function openReplica({ url, maxLagMs, connections, vital, onChange }: Options): Replica {
  const pool = openPool({ connectionString: url }, { max: connections, onIdleError: () => undefined });
  const db = openDb(pool);
  let marks: Mark[] = [];
  let knownUntil = Number.NEGATIVE_INFINITY;
  let problem: string | null = 'it has not been checked yet';
  let wasUsed = false;
  let heartbeat: Heartbeat | undefined;
  const behindMs = () => Date.now() - knownUntil;
  const isUsed = () => behindMs() < maxLagMs;

  async function look(): Promise<void> {
    const at = Date.now();
    const primary = await placeOf(vital, 'pg_current_wal_lsn');
    if (primary.lsn !== null) marks.push({ at, lsn: primary.lsn });
    const { server, lsn } = await placeOf(db, 'pg_last_wal_replay_lsn');
    if (lsn === null) throw new Error('it is not a standby');
    if (server !== primary.server) throw new Error('it is a standby of another server');
    knownUntil = marks.findLast((mark) => mark.lsn <= lsn)?.at ?? knownUntil;
    marks = marks.filter((mark) => mark.at >= knownUntil).slice(-100);
    problem = isUsed() ? null : `it is more than ${maxLagMs / 1000} s behind`;
  }

  function tell(error?: unknown): void {
    if (error) problem = (error as Error).message;
    if (isUsed() === wasUsed) return;
    wasUsed = isUsed();
    onChange(wasUsed, problem);
  }

  return {
    reads: () => (isUsed() ? db : null),
    behindMs,
    health: () => ({
      problem: isUsed() ? null : `The standby (DATABASE_READ_URL) is not used: ${problem}`,
      ...(Number.isFinite(behindMs()) && { behind_ms: behindMs() }),
    }),
    async start() {
      const beat = () => look().then(() => tell(), tell);
      heartbeat = startHeartbeat({ everyMs: maxLagMs / 5, beat, onError: () => undefined });
      await heartbeat.beatNow();
    },
    async stop() {
      await heartbeat?.stop();
      if (!pool.ending) await pool.end();
    },
  };
}
