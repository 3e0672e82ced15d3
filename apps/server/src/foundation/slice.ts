import type { Registry } from 'prom-client';
import type { NotFoundHandler } from './http/request/errors.ts';
import type { App } from './http/request/typed-app.ts';
import type { Cleaner } from './jobs/maintenance.ts';
import type { TaskHandlers } from './jobs/worker.ts';

/**
 * `problem` says why the part does not work. `notes` lists what it lacks while it works. Both are logged at the start.
 */
export type PartHealth = { problem: string | null; notes?: readonly string[]; [figure: string]: unknown };

/**
 * What a part of the service adds to a node. `service.ts` creates the slices in order and calls what they return:
 * `start` before the port opens, `listening` after it has opened, `drain` while the last requests are answered, and
 * `stop` after that, in the reverse order of creation.
 */
export type Slice = {
  /** Routes below /v1 and /api/v1. */
  routes?(api: App): void;
  /** Routes at other addresses: /git, /oauth, /api/webhooks, … */
  otherRoutes?(app: App): void | Promise<void>;
  /** Answers a request that has no route. Returns false if the slice does not handle it. */
  notFound?: NotFoundHandler;
  jobs?: Partial<TaskHandlers>;
  /** Run every hour by one node. */
  cleaning?: Cleaner[];
  metrics?(registry: Registry): void;
  /**
   * The health that `/readyz` shows. A problem here never makes a node unready. With `isPatient`, as at the start, the
   * slice waits for slow checks.
   */
  health?(isPatient: boolean): Promise<Record<string, PartHealth>>;
  start?(): Promise<void>;
  listening?(): Promise<void>;
  drain?(): Promise<void>;
  stop?(): Promise<void>;
};

export type Health = Record<string, PartHealth>;

/** For each part, takes the report of the last process, unless another process reports a problem with it. */
export function worstOf(processes: readonly Health[]): Health {
  const parts = processes.flatMap((health) => Object.entries(health));
  return Object.fromEntries([...parts, ...parts.filter(([, { problem }]) => problem !== null)]);
}

export async function healthOf(slices: readonly Slice[], isPatient = false): Promise<Health> {
  return Object.assign({}, ...(await Promise.all(slices.map(({ health }) => health?.(isPatient)))));
}
