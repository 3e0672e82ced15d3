import { hostname } from 'node:os';
import { isAlive } from '../../foundation/processes/is-alive.ts';

/** The labels of a container or volume name its worker, because it outlives a killed worker, unlike a child process. */
export const ownLabels = (): Record<string, string> => ({
  'bottega.host': hostname(),
  'bottega.pid': String(process.pid),
});

/** Matches everything from this machine, whether or not its process is still alive. */
export const hostLabel = (): string => `bottega.host=${hostname()}`;

export const isLeftBehind = (labels: Record<string, string> | null | undefined): boolean =>
  !isAlive(Number(labels?.['bottega.pid']));
