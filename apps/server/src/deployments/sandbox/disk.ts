import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type Counter, countOnce, openCounter, type Used } from './disk-count.ts';
import type { BuildDriver, Exit, Running, SandboxSpec } from './driver.ts';
import { unlinkedBytes } from './unlinked.ts';

const soonestMs = 1_000;
const latestMs = 15_000;
/** The pause after a slow count is this many times its duration, within the limit above. */
const pauses = 5;
const maxFailures = 2;

/**
 * Limits a run's disk use. There may be no quotas for directories, so a second, read-only run counts in the same
 * directory while the first continues. The service itself never reads that directory. Between two counts, a run can
 * exceed its limit by as much as the disk can write in that time.
 */
export function withDiskLimit(driver: BuildDriver, everyMs = soonestMs): BuildDriver {
  return {
    ...driver,
    async start(spec) {
      const running = await driver.start(spec);
      return spec.isReadOnly ? running : heldToDisk(driver, { spec, running, everyMs });
    },
  };
}

function heldToDisk(driver: BuildDriver, counted: Counted): Running {
  const { spec, running } = counted;
  const over = new AbortController();
  void running.ended.then(() => over.abort());
  let isExceeded = false;
  const counting = keepCounting(driver, counted, over.signal).then(async (exceeded) => {
    isExceeded = exceeded;
    if (exceeded) await running.stop(0);
  });
  const ended = running.ended.then(async (exit): Promise<Exit> => {
    // The directory must not be removed while a count is running.
    await counting;
    if (exit.stoppedBy === 'request') return isExceeded ? { ...exit, stoppedBy: 'disk' } : exit;
    const isBuilt = spec.port === null && exit.stoppedBy === null && exit.code === 0;
    return isBuilt && (await hasLeftTooMuch(driver, spec)) ? { ...exit, stoppedBy: 'disk' } : exit;
  });
  return {
    ...running,
    ended,
    async stop(graceMs) {
      over.abort();
      await running.stop(graceMs);
      await ended;
    },
  };
}

type Counted = {
  spec: SandboxSpec;
  running: Running;
  /** Interval of counts while the use changes. */
  everyMs: number;
};

/** Counts until the run ends or exceeds its limit. The interval grows while nothing changes. */
async function keepCounting(driver: BuildDriver, counted: Counted, signal: AbortSignal): Promise<boolean> {
  const counter = openCounter(driver, counted.spec);
  try {
    return await countWith(counter, counted, signal);
  } finally {
    await counter.stop();
  }
}

async function countWith(counter: Counter, { spec, running, everyMs }: Counted, signal: AbortSignal): Promise<boolean> {
  const device = (await stat(spec.directory).catch(() => null))?.dev ?? -1;
  let [pause, last, failures] = [everyMs, 0, 0];
  for (let number = 0; ; number++) {
    await delay(pause, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return false;
    const begun = Date.now();
    const used = await counter.count(number, signal).catch(() => null);
    const unlinked = await unlinkedBytes(await running.processes(), device);
    if (isTooMuch(spec, used, unlinked)) return true;
    // One failure may be a coincidence. Two may be caused by the run, and then its disk use is unknown.
    failures = used || signal.aborted ? 0 : failures + 1;
    if (failures >= maxFailures) return true;
    const wanted = used?.bytes === last ? pause * 2 : everyMs;
    pause = Math.min(latestMs, Math.max(wanted, (Date.now() - begun) * pauses));
    last = used?.bytes ?? last;
  }
}

const isTooMuch = ({ limits }: SandboxSpec, used: Used | null, unlinked = 0): boolean =>
  (used?.bytes ?? 0) + unlinked > limits.diskBytes || (used?.entries ?? 0) > limits.diskEntries;

/** Counts what a build wrote after the last count. It runs before the output is collected. */
async function hasLeftTooMuch(driver: BuildDriver, spec: SandboxSpec): Promise<boolean> {
  for (let number = 0; number < maxFailures; number++) {
    const used = await countOnce(driver, { ...spec, id: `${spec.id}_left${number}` }).catch(() => null);
    if (used) return isTooMuch(spec, used);
  }
  return true;
}
