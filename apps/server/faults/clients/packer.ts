import type { Site } from '../cluster/index.ts';
import { pause } from './writers.ts';

/**
 * Has the histories of projects packed all the time, however little is new, as a worker would do every few minutes. A
 * job that cannot be inserted is inserted the next time.
 */
export async function pack({ query }: Site, projectIds: readonly string[], isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    for (const id of projectIds) {
      const job = ['repositories:pack', JSON.stringify({ project_id: id, fewest: 1 }), `pack ${id}`];
      const added = query(`select graphile_worker.add_job($1, $2, job_key => $3, queue_name => $1 || ' ' || $3)`, job);
      await added.catch(() => undefined);
    }
    await pause(700, isOver);
  }
}
