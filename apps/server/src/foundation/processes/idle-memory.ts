import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const lookMs = 10_000;
/** The share of time in which something was done: beyond it, a pause would be felt. */
const mostBusy = 0.1;
/** A collection takes about a millisecond for each megabyte: beyond this, whoever comes first would feel the pause. */
const largestHeap = 192 * 2 ** 20;
/** Less is not worth a pause. */
const leastGained = 12 * 2 ** 20;

/**
 * V8 keeps the room that a start or a burst took until it runs short of it, which an idle process never does: a third of
 * what it holds is garbage. So it is asked to collect once nothing goes on, and again when as much has gathered.
 */
export function giveBackWhenIdle(): void {
  let before = performance.eventLoopUtilization();
  let leftOver = 0;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const held = heldBytes();
    if (utilization > mostBusy || held > largestHeap || held - leftOver < leastGained) return;
    collector()?.();
    leftOver = heldBytes();
  }, lookMs);
  timer.unref();
}

const heldBytes = (): number => getHeapStatistics().total_physical_size;

type Collect = () => void;
let known: Collect | null | undefined;

/** Without a flag for the whole process nobody but a new context is given it. */
function collector(): Collect | null {
  if (known !== undefined) return known;
  setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('globalThis.gc');
  setFlagsFromString('--no-expose-gc');
  known = typeof found === 'function' ? (found as Collect) : null;
  return known;
}
