// @ts-check
import { getHeapStatistics } from 'node:v8';

const lookMs = 3_000;
/** The highest share of busy time between two looks at which the agent counts as idle. */
const maxUtilization = 0.05;
/** The least growth of the heap since the last collection that is worth another one, in bytes. */
const leastGained = 2 * 2 ** 20;

/**
 * Gives memory back when nothing has happened for a while. Most workspaces wait for somebody most of the time, and V8
 * collects only when memory runs short, which never happens in an idle agent.
 */
export function giveBackWhenIdle() {
  let before = performance.eventLoopUtilization();
  let leftOver = 0;
  const look = () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > maxUtilization || heldBytes() - leftOver < leastGained) return;
    // The agent is started with `--expose-gc`. This flavour also gives back compiled code that is not in use.
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    leftOver = heldBytes();
  };
  setInterval(look, lookMs).unref();
}

const heldBytes = () => getHeapStatistics().total_physical_size;
