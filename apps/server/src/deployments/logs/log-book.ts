import type { RawBuilder } from 'kysely';
import type { IdPrefix } from '../../foundation/ids.ts';

/** The tables with the logs of one kind of run. They have the same columns as the tables of deployments. */
export type LogBook = {
  /** The table of the runs. Its `log_seq` is the number of the last line. */
  runs: 'deployments' | 'check_runs';
  lines: 'deployment_logs' | 'check_logs';
  /** The column of `lines` that contains the id of the run. */
  key: 'deployment_id' | 'check_id';
  prefix: IdPrefix;
  /** Selects runs with ids below this one whose lines stay even though they are older than this number of days. */
  staying(below: string, days: number): RawBuilder<unknown>;
};

/** The log of one run. */
export type LogOf = { book: LogBook; id: string };
