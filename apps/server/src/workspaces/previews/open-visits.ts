import type { Pass } from './passes.ts';
import type { PortAddress } from './port-address.ts';

type OpenVisits = {
  /** Calls `end` once the visitor may not see the port any more. Returns a function that ends the watch. */
  watch(at: PortAddress, pass: Pass | null, end: () => void): () => void;
};

const everyMs = 1_000;

type Visitor = { ends: Set<() => void>; timer: NodeJS.Timeout };

/**
 * Watches responses and WebSockets that stay open. Rights are checked every second, once for all connections of a
 * visitor to a port. If a check fails with an error, nothing is ended, and the next check follows a second later.
 */
export function createOpenVisits(mayStill: (at: PortAddress, pass: Pass | null) => Promise<boolean>): OpenVisits {
  const visitors = new Map<string, Visitor>();

  function begin(at: PortAddress, pass: Pass | null): Visitor {
    const ends = new Set<() => void>();
    const look = async () => {
      if (!(await mayStill(at, pass))) for (const end of [...ends]) end();
    };
    return { ends, timer: setInterval(() => void look().catch(() => undefined), everyMs).unref() };
  }

  return {
    watch(at, pass, end) {
      const key = JSON.stringify([at, pass]);
      const visitor = visitors.get(key) ?? begin(at, pass);
      visitors.set(key, visitor);
      visitor.ends.add(end);
      return () => {
        visitor.ends.delete(end);
        if (visitor.ends.size > 0) return;
        clearInterval(visitor.timer);
        visitors.delete(key);
      };
    },
  };
}
