import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { BuildDriver, Exit, Running, SandboxSpec } from './driver.ts';
import { unlinkedBytes } from './unlinked.ts';

/**
 * Workspace and /tmp, wherever the driver has put them for a look: how many names there are, and KiB, each file once. No
 * name is ever printed as a line: it may hold anything, and in a deep tree the names are far more than what they stand
 * for. BusyBox and BSD cannot count inodes; there only the ends of names are left of what is printed.
 */
const countCommand = `sum() { awk '{ n += $1 } END { printf "%.0f", n }'; }
set -- . ../tmp ../var/tmp
names=$(du --inodes -slx "$@" 2>/dev/null | sum)
[ "$names" != 0 ] || names=$(find "$@" -xdev -print0 2>/dev/null | tr -dc '\\000' | wc -c)
echo $names $(du -skx "$@" 2>/dev/null | sum)`;

const soonestMs = 1_000;
const latestMs = 15_000;
/** After a count that took long there is a pause of so many times as long, within the limit above. */
const pauses = 5;
const mostFailures = 2;

type Used = { entries: number; bytes: number };

/**
 * No file system here has a quota for a directory, so a run's disk is counted while it goes on: by a second, read-only
 * run in the same directory, so that the service itself never walks there. Between two counts a run can use more than it
 * may; how much more, is a matter of how fast the disk is.
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
    // Nobody removes the directory while something still counts in it.
    await counting;
    if (exit.stoppedBy === 'request') return isExceeded ? { ...exit, stoppedBy: 'disk' } : exit;
    const isBuilt = spec.port === null && exit.stoppedBy === null && exit.code === 0;
    return isBuilt && (await hasLeftTooMuch(driver, spec)) ? { ...exit, stoppedBy: 'disk' } : exit;
  });
  return {
    ...running,
    ended,
    async stop(graceMs) {
      await running.stop(graceMs);
      await ended;
    },
  };
}

type Counted = {
  spec: SandboxSpec;
  running: Running;
  /** From one count to the next, while what it uses changes. */
  everyMs: number;
};

/** Until it is over, or there is too much. What does not change is looked at more seldom. */
async function keepCounting(driver: BuildDriver, counted: Counted, signal: AbortSignal): Promise<boolean> {
  const { spec, running, everyMs } = counted;
  const device = (await stat(spec.directory).catch(() => null))?.dev ?? -1;
  let [pause, last, failures] = [everyMs, 0, 0];
  for (let number = 0; ; number++) {
    await delay(pause, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return false;
    const begun = Date.now();
    const used = await count(driver, { ...spec, id: `${spec.id}_disk${number}` }, signal).catch(() => null);
    const unlinked = await unlinkedBytes(await running.processes(), device);
    if (isTooMuch(spec, used, unlinked)) return true;
    // One that fails may be bad luck. Two may be the run's own doing, and nobody knows what it uses.
    failures = used || signal.aborted ? 0 : failures + 1;
    if (failures >= mostFailures) return true;
    const wanted = used?.bytes === last ? pause * 2 : everyMs;
    pause = Math.min(latestMs, Math.max(wanted, (Date.now() - begun) * pauses));
    last = used?.bytes ?? last;
  }
}

const isTooMuch = ({ limits }: SandboxSpec, used: Used | null, unlinked = 0): boolean =>
  (used?.bytes ?? 0) + unlinked > limits.diskBytes || (used?.entries ?? 0) > limits.diskEntries;

/** What a build wrote after the last count is about to be collected. */
async function hasLeftTooMuch(driver: BuildDriver, spec: SandboxSpec): Promise<boolean> {
  for (let number = 0; number < mostFailures; number++) {
    const used = await count(driver, { ...spec, id: `${spec.id}_left${number}` }).catch(() => null);
    if (used) return isTooMuch(spec, used);
  }
  return true;
}

async function count(driver: BuildDriver, spec: SandboxSpec, signal?: AbortSignal): Promise<Used | null> {
  const running = await driver.start({
    ...spec,
    command: countCommand,
    environment: {},
    // Where the kernel counts processes by uid, those of the run itself count too.
    limits: { ...spec.limits, memoryBytes: 256 * 2 ** 20, processes: spec.limits.processes + 16, cpus: 1, seconds: 60 },
    port: null,
    isReadOnly: true,
  });
  const stop = () => void running.stop(0);
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  running.stderr.resume();
  let text = '';
  running.stdout.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(0, 100);
  });
  await running.ended;
  signal?.removeEventListener('abort', stop);
  const [, entries, kib] = /^(\d+) (\d+)\s*$/.exec(text) ?? [];
  // There is always a workspace: nothing at all means that nothing could be counted.
  return entries === undefined || entries === '0' ? null : { entries: Number(entries), bytes: Number(kib) * 1024 };
}
