import { sql } from 'kysely';
import type { LogBook, LogOf } from '../../deployments/index.ts';

/** A check that runs again keeps its id, so the age of its lines is counted from its last start. */
export const checkBook: LogBook = {
  runs: 'check_runs',
  lines: 'check_logs',
  key: 'check_id',
  prefix: 'chk',
  staying: (below, days) => sql`
    select c.id from check_runs c
    where c.id < ${below} and c.started_at > now() - make_interval(days => ${days}) and c.attempt > 1`,
};

export const logOfCheck = (id: string): LogOf => ({ book: checkBook, id });
