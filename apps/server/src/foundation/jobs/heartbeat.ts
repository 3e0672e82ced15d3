import type { WorkerEvents } from 'graphile-worker';
import type { Logger } from 'pino';
import { graceAfterOutage } from '../concurrency/grace.ts';
import { startHeartbeat } from '../concurrency/heartbeat.ts';
import type { Db } from '../db/pool.ts';
import { forgetWorkers, freeDeadWorkers, noteBeat } from './job-workers.sql.ts';

type Options = { db: Db; log: Logger; everyMs: number };

export type JobHeartbeat = {
  /** From now on, reports that the workers with these events are alive. Returns a function that ends this. */
  join(events: WorkerEvents): () => Promise<void>;
  stop(): Promise<void>;
};

/** A worker that has missed this many beats is dead, and other workers may take its jobs. */
const missedBeats = 4;

/**
 * If a worker dies silently, graphile-worker frees its jobs only after four hours. Here every worker writes a heartbeat
 * every few seconds, and every node frees the jobs of workers without a recent one.
 */
export function keepJobHeartbeat({ db, log, everyMs }: Options): JobHeartbeat {
  // These ids belong to pools of workers, because graphile-worker locks a job for the pool and not for a single worker.
  const workers = new Set<string>();

  const silentMs = everyMs * missedBeats;
  const grace = graceAfterOutage(silentMs);

  async function beat(): Promise<void> {
    const asked = Date.now();
    await noteBeat(db, [...workers]);
    if (Date.now() - asked > everyMs) grace.noteOutage();
    if (!grace.isOver()) return;
    const freed = await freeDeadWorkers(db, silentMs / 1000);
    if (freed > 0) log.warn({ source: 'jobs', workers: freed }, 'released the jobs of dead workers');
  }

  const onError = (error: unknown) => {
    grace.noteOutage();
    log.warn({ source: 'jobs', err: error }, 'failed to send the heartbeat of the job worker');
  };
  const heartbeat = startHeartbeat({ everyMs, beat, onError });
  return {
    join(events) {
      const joined = new Set<string>();
      events.on('pool:create', ({ workerPool: { id } }) => {
        joined.add(id);
        workers.add(id);
        void heartbeat.beatNow();
      });
      return async () => {
        for (const id of joined) workers.delete(id);
        // A beat in progress would write the row again after it is deleted.
        await heartbeat.settled();
        await forgetWorkers(db, [...joined]).catch(() => undefined);
      };
    },
    stop: heartbeat.stop,
  };
}
