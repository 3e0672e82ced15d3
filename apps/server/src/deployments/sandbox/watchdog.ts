import { listProcesses, withDescendants } from './process-tree.ts';

const everyMs = 250;

type Watched = { pid: number; maxBytes: number; onExceeded: () => void };

/** Returns a function that ends the watch. */
export type Watchdog = (pid: number, maxBytes: number, onExceeded: () => void) => () => void;

/**
 * Limits memory if there is no control group, by repeatedly adding up the resident memory of a run's processes. Shared
 * pages count for each process, so it may stop a run too early. The process list is read once for all watched runs,
 * because the cost of reading grows with the number of processes.
 */
export function createWatchdog(): Watchdog {
  const watched = new Set<Watched>();
  let timer: NodeJS.Timeout | null = null;
  let isLooking = false;

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    const all = await listProcesses();
    isLooking = false;
    for (const { pid, maxBytes, onExceeded } of watched) {
      const bytes = withDescendants(all, pid).reduce((sum, one) => sum + one.residentBytes, 0);
      if (bytes > maxBytes) onExceeded();
    }
  }

  return (pid, maxBytes, onExceeded) => {
    const one = { pid, maxBytes, onExceeded };
    watched.add(one);
    timer ??= setInterval(() => void look(), everyMs);
    return () => {
      watched.delete(one);
      if (watched.size > 0 || !timer) return;
      clearInterval(timer);
      timer = null;
    };
  };
}
