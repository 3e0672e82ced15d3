import { descendantsOf } from './process-tree.ts';

const everyMs = 200;

/**
 * Where no control group holds memory: adds up what the processes of a run have resident, again and again. Pages that
 * several share count for each, so it errs on the side of stopping.
 */
export function watchMemory(pid: number, mostBytes: number, onExceeded: () => void): () => void {
  let busy = false;
  const timer = setInterval(async () => {
    if (busy) return;
    busy = true;
    const processes = await descendantsOf(pid);
    const bytes = processes.reduce((sum, one) => sum + one.residentBytes, 0);
    busy = false;
    if (bytes > mostBytes) onExceeded();
  }, everyMs);
  return () => clearInterval(timer);
}
