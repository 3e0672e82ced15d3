import { hostname } from 'node:os';
import { isAlive } from '../../foundation/processes/is-alive.ts';

/** Unlike a child process, a container or volume of an engine outlives a worker that was killed, so its labels name the worker. */
export const ownLabels = (): Record<string, string> => ({
  'bottega.host': hostname(),
  'bottega.pid': String(process.pid),
});

/** Of this machine, whether or not its process lives. */
export const hostLabel = (): string => `bottega.host=${hostname()}`;

export const isLeftBehind = (labels: Record<string, string> | null | undefined): boolean =>
  !isAlive(Number(labels?.['bottega.pid']));
