import type { BuildDriver, Limits, LogWriter } from '../../deployments/index.ts';
import type { CheckRow } from '../state/index.ts';

/** A check that a worker runs. */
export type Job = {
  row: CheckRow;
  attempt: number;
  variables: Record<string, string>;
  log: LogWriter;
  signal: AbortSignal;
};

/** A job's directory with the files, and the sandbox in which commands run on them. */
export type Place = { driver: BuildDriver; id: string; directory: string; limits: Limits & { seconds: number } };
