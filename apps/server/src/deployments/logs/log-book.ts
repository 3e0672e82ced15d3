import type { RawBuilder } from 'kysely';
import type { IdPrefix } from '../../foundation/ids.ts';

/** Where the logs of one kind of run are. Its tables have the same columns as those of deployments. */
export type LogBook = {
  /** The table of the runs. Its `log_seq` is the number of the last line. */
  runs: 'deployments' | 'check_runs';
  lines: 'deployment_logs' | 'check_logs';
  /** The column of the lines that names the run. */
  key: 'deployment_id' | 'check_id';
  prefix: IdPrefix;
  /** Selects runs with ids below this one whose lines stay, although lines are kept for this number of days. */
  staying(below: string, days: number): RawBuilder<unknown>;
};

/** The log of one run. */
export type LogOf = { book: LogBook; id: string };
