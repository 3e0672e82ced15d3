import { sql } from 'kysely';
import type { Db, Trx } from '../../foundation/db/index.ts';

/** Advisory locks: one node at a time fans out, and one node at a time claims. */
const locks = { fanOut: 7_316_001, claim: 7_316_002 };

type Turn = {
  /** Null if the worker was declared dead or has no name. Nothing may be held under its name. */
  holder: number | null;
};

/**
 * Takes the turn, or returns null immediately if another node has it. The worker cannot be removed until the
 * transaction ends, because deliveries under the name of a removed worker would be held forever. Its heartbeats still
 * work, because they change no key.
 */
export async function takeTurn(trx: Trx, kind: keyof typeof locks, holder: number | null): Promise<Turn | null> {
  const { rows } = await sql<{ mine: boolean; holder: number | null }>`
    with worker as (select id from webhook_workers where id = ${holder} for key share)
    select pg_try_advisory_xact_lock(${locks[kind]}) as mine, (select id from worker) as holder`.execute(trx);
  const [row] = rows;
  return row?.mine ? { holder: row.holder } : null;
}

/**
 * Ends the turns of nodes that stopped in the middle of one, because no other node gets a turn meanwhile. In such a
 * case, the server waits for the node: for its next statement or, in a statement without a time limit, for the node to
 * read.
 */
export async function endStalledTurns(db: Db, afterSeconds: number): Promise<void> {
  await sql`
    select pg_terminate_backend(activity.pid)
    from pg_locks as lock join pg_stat_activity as activity on activity.pid = lock.pid
    where lock.locktype = 'advisory' and lock.granted and lock.classid = 0 and lock.objsubid = 1
      and lock.objid::bigint = any(${Object.values(locks)}::bigint[])
      and activity.datname = current_database() and activity.wait_event_type = 'Client'
      and activity.state_change < clock_timestamp() - make_interval(secs => ${afterSeconds})`.execute(db);
}
