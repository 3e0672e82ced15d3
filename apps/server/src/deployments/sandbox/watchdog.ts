import { listProcesses, withDescendants } from './process-tree.ts';

const everyMs = 250;

type Watched = { pid: number; mostBytes: number; onExceeded: () => void };

/** Returns what ends the watching. */
export type Watchdog = (pid: number, mostBytes: number, onExceeded: () => void) => () => void;

/**
 * Where no control group holds memory: adds up what the processes of a run have resident, again and again. Pages that
 * several share count for each, so it errs on the side of stopping. One look at the list of processes serves all that are
 * watched: it costs as much as the machine has processes.
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
    for (const { pid, mostBytes, onExceeded } of watched) {
      const bytes = withDescendants(all, pid).reduce((sum, one) => sum + one.residentBytes, 0);
      if (bytes > mostBytes) onExceeded();
    }
  }

  return (pid, mostBytes, onExceeded) => {
    const one = { pid, mostBytes, onExceeded };
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
