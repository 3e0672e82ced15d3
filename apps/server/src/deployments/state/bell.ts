import type { Siblings } from '../../foundation/cluster/siblings.ts';

/** Tells waiters on this machine immediately that something has changed, such as a deployment. Other nodes poll. */
export type Bell = {
  ring(id: string): void;
  /** Waits until the bell rings for this id, for at most this many milliseconds. */
  wait(id: string, ms: number): Promise<void>;
  /** Number of rings so far. If two calls return the same number, nothing was missed in between. */
  count(): number;
};

const topic = 'deployments';

export function createBell(siblings: Siblings): Bell {
  const waiters = new Map<string, Set<() => void>>();
  let rung = 0;
  function ringHere(id: string): void {
    rung += 1;
    const waiting = waiters.get(id);
    waiters.delete(id);
    for (const wake of waiting ?? []) wake();
  }
  siblings.hear(topic, ringHere);
  return {
    count: () => rung,
    ring(id) {
      ringHere(id);
      siblings.tell(topic, id);
    },
    wait(id, ms) {
      return new Promise((resolve) => {
        const waiting = waiters.get(id) ?? new Set();
        waiters.set(id, waiting);
        const wake = () => {
          clearTimeout(timer);
          waiting.delete(wake);
          if (waiting.size === 0 && waiters.get(id) === waiting) waiters.delete(id);
          resolve();
        };
        const timer = setTimeout(wake, ms);
        waiting.add(wake);
      });
    },
  };
}
