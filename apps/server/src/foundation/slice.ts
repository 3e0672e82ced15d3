import type { Registry } from 'prom-client';
import type { Lost } from './http/request/errors.ts';
import type { App } from './http/request/typed-app.ts';
import type { Cleaner } from './jobs/maintenance.ts';
import type { TaskHandlers } from './jobs/worker.ts';

/** `problem`: why it does not work; `notes`: what it has to do without. Both are said at the start, in the log. */
export type PartHealth = { problem: string | null; notes?: readonly string[]; [figure: string]: unknown };

/**
 * What a part of the service adds to a node. `service.ts` creates the slices in order and runs what they return:
 * `start` before the port opens, `listening` once it has, `drain` while the last requests are answered, and `stop`
 * after them, in the reverse order of creation.
 */
export type Slice = {
  /** Below /v1 and /api/v1. */
  routes?(api: App): void;
  /** At addresses of their own: /git, /oauth, /api/webhooks, … */
  otherRoutes?(app: App): void | Promise<void>;
  /** Answers a request that no route is for; false: it is nothing for this slice. */
  lost?: Lost;
  jobs?: Partial<TaskHandlers>;
  /** Run every hour by one node. */
  cleaning?: Cleaner[];
  metrics?(registry: Registry): void;
  /** For `/readyz`, where it never makes a node unready, and for the start, which waits for what takes a while to find out. */
  health?(isPatient: boolean): Promise<Record<string, PartHealth>>;
  start?(): Promise<void>;
  listening?(): Promise<void>;
  drain?(): Promise<void>;
  stop?(): Promise<void>;
};

export type Health = Record<string, PartHealth>;

/** Of each part what the last process says, unless another one has a problem with it. */
export function worstOf(processes: readonly Health[]): Health {
  const parts = processes.flatMap((health) => Object.entries(health));
  return Object.fromEntries([...parts, ...parts.filter(([, { problem }]) => problem !== null)]);
}

export async function healthOf(slices: readonly Slice[], isPatient = false): Promise<Health> {
  return Object.assign({}, ...(await Promise.all(slices.map(({ health }) => health?.(isPatient)))));
}
