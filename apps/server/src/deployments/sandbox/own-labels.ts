import { hostname } from 'node:os';
import { isAlive } from '../../foundation/processes/is-alive.ts';

/** Unlike a child process, an engine's container or volume outlives a killed worker, so its labels name the worker. */
export const ownLabels = (): Record<string, string> => ({
  'bottega.host': hostname(),
  'bottega.pid': String(process.pid),
});

/** Matches everything of this machine, whether or not its process is alive. */
export const hostLabel = (): string => `bottega.host=${hostname()}`;

export const isLeftBehind = (labels: Record<string, string> | null | undefined): boolean =>
  !isAlive(Number(labels?.['bottega.pid']));
