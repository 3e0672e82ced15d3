import { sql } from 'kysely';
import type { Db, Trx } from '../../foundation/db/index.ts';

/** Advisory locks: one node at a time fans out, and one node at a time claims. */
const locks = { fanOut: 7_316_001, claim: 7_316_002 };

type Turn = {
  /** Null if the worker was declared dead or has no id. In this case, this node must not hold any deliveries. */
  holder: number | null;
};

/**
 * Takes the turn, or returns null immediately if another node has it. The lock on the worker's row prevents its removal
 * until the transaction ends. Otherwise, deliveries could be held forever by a removed worker. Heartbeats of the worker
 * are still possible, because they change no key.
 */
export async function takeTurn(trx: Trx, kind: keyof typeof locks, holder: number | null): Promise<Turn | null> {
  const { rows } = await sql<{ mine: boolean; holder: number | null }>`
    with worker as (select id from webhook_workers where id = ${holder} for key share)
    select pg_try_advisory_xact_lock(${locks[kind]}) as mine, (select id from worker) as holder`.execute(trx);
  const [row] = rows;
  return row?.mine ? { holder: row.holder } : null;
}

/**
 * Ends turns whose node no longer responds, because no other node can get a turn meanwhile. Such a turn is recognized
 * by the server waiting for the node: for its next statement or, in a statement without a time limit, for the node to
 * read the result.
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
