import { subscribe } from 'node:diagnostics_channel';
import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const lookMs = 10_000;
/**
 * Highest share of busy time between two checks at which the process counts as idle. Above it, users would notice a
 * pause.
 */
const maxUtilization = 0.1;
/**
 * Maximum number of requests between two checks at which the process counts as idle. Whoever sends more would notice a
 * pause; health checks are fewer.
 */
const mostRequests = 10;
/**
 * The most memory in use, in bytes, with which the process is collected again. A collection pauses the process for
 * about a millisecond per megabyte that is in use; garbage costs next to nothing. How much of a heap is garbage is only
 * known after a collection, so this is what the last one left.
 */
const mostInUse = 192 * 2 ** 20;
/** The least growth since the last collection that is worth a pause, in bytes. */
const leastGained = 12 * 2 ** 20;

/**
 * After a start or a burst of work, V8 keeps memory until memory runs short, which never happens in an idle process. A
 * third of the heap is then garbage. So V8 is asked to collect when the process is idle, and again when as much garbage
 * has accumulated.
 */
export function giveBackWhenIdle(): void {
  let before = performance.eventLoopUtilization();
  let leftOver = 0;
  let requests = 0;
  subscribe('http.server.request.start', () => requests++);
  const timer = setInterval(() => {
    const answered = requests;
    requests = 0;
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const held = heldBytes();
    if (utilization > maxUtilization || answered > mostRequests) return;
    if (leftOver > mostInUse || held - leftOver < leastGained) return;
    collector()?.();
    leftOver = heldBytes();
  }, lookMs);
  timer.unref();
}

const heldBytes = (): number => getHeapStatistics().total_physical_size;

type Collect = () => void;
let known: Collect | null | undefined;

/** Finds the garbage collector. Without a flag for the whole process, only a new context has `gc`. */
function collector(): Collect | null {
  if (known !== undefined) return known;
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('globalThis.gc');
  setFlagsFromString('--no-expose-gc');
  known = typeof gc === 'function' ? (gc as Collect) : null;
  return known;
}
