import type { WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from 'pino';

type Options = { pool: pg.Pool; log: Logger; everyMs: number };

export type Heartbeat = {
  /** From now on these workers are said to live. Returns how they leave. */
  join(events: WorkerEvents): () => Promise<void>;
  stop(): Promise<void>;
};

/** A worker that missed this many beats is dead, and its jobs are free for others. */
const missedBeats = 4;

/**
 * graphile-worker gives the jobs of a worker that died without a word back after four hours. Here every worker leaves
 * a beat every few seconds, and every node frees what is held by workers without a recent one.
 */
export function keepHeartbeat({ pool, log, everyMs }: Options): Heartbeat {
  // Jobs are locked in the name of the pool of workers, not of the one that runs them.
  const workers = new Set<string>();
  let latest: Promise<void> = Promise.resolve();
  function beatOnce(): void {
    latest = latest.then(beat);
  }

  async function beat(): Promise<void> {
    try {
      await pool.query(
        `insert into job_workers (worker_id) select unnest($1::text[])
         on conflict (worker_id) do update set beat_at = now()`,
        [[...workers]],
      );
      const { rowCount } = await pool.query(freeDeadWorkers, [(everyMs * missedBeats) / 1000]);
      if (rowCount) log.warn({ source: 'jobs', workers: rowCount }, 'freed the jobs of workers that died');
    } catch (error) {
      // The database is away; the next beat tries again, well before others count this worker as dead.
      log.warn({ source: 'jobs', err: error }, 'no heartbeat');
    }
  }

  const timer = setInterval(beatOnce, everyMs);
  return {
    join(events) {
      const joined = new Set<string>();
      events.on('pool:create', ({ workerPool: { id } }) => {
        joined.add(id);
        workers.add(id);
        beatOnce();
      });
      return async () => {
        for (const id of joined) workers.delete(id);
        // One that is under way would write the row again after it is deleted.
        await latest;
        await pool.query('delete from job_workers where worker_id = any($1)', [[...joined]]).catch(() => undefined);
      };
    },
    async stop() {
      clearInterval(timer);
      await latest;
    },
  };
}

/** Also those that never left a beat, but only once their job has been locked for as long. */
const freeDeadWorkers = `
  with dead as (
    select distinct jobs.locked_by as worker_id
    from graphile_worker._private_jobs as jobs
    left join job_workers on job_workers.worker_id = jobs.locked_by
    where jobs.locked_by is not null
      and coalesce(job_workers.beat_at, jobs.locked_at) < now() - make_interval(secs => $1)
  ), freed as (
    select graphile_worker.force_unlock_workers(array(select worker_id from dead)) where exists (select from dead)
  ), forgotten as (
    delete from job_workers where beat_at < now() - make_interval(secs => $1 * 10)
  )
  select worker_id from dead where exists (select from freed)`;
