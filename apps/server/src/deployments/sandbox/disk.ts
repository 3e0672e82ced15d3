import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { BuildDriver, Exit, Running, SandboxSpec } from './driver.ts';
import { unlinkedBytes } from './unlinked.ts';

/**
 * Counts names and KiB in the workspace and /tmp, each file once, at the paths of a read-only run. Names are never
 * printed as lines. They may contain anything, and in a deep tree they are far larger than their files. BusyBox and BSD
 * cannot count inodes, so only the terminators of names are printed there.
 */
const countCommand = `sum() { awk '{ n += $1 } END { printf "%.0f", n }'; }
set -- . ../tmp ../var/tmp
names=$(du --inodes -slx "$@" 2>/dev/null | sum)
[ "$names" != 0 ] || names=$(find "$@" -xdev -print0 2>/dev/null | tr -dc '\\000' | wc -c)
echo $names $(du -skx "$@" 2>/dev/null | sum)`;

const soonestMs = 1_000;
const latestMs = 15_000;
/** The pause after a slow count is this many times its duration, within the limit above. */
const pauses = 5;
const maxFailures = 2;

type Used = { entries: number; bytes: number };

/**
 * Limits a run's disk use. No file system here has quotas for directories. So a second, read-only run counts in the
 * same directory while the first continues. The service itself never reads that directory. Between two counts, a run
 * can exceed its limit by as much as the disk can write.
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
    const used = await count(driver, { ...spec, id: `${spec.id}_left${number}` }).catch(() => null);
    if (used) return isTooMuch(spec, used);
  }
  return true;
}

async function count(
  driver: BuildDriver,
  { agent: _agent, layers: _layers, ...spec }: SandboxSpec,
  signal?: AbortSignal,
): Promise<Used | null> {
  const running = await driver.start({
    ...spec,
    command: countCommand,
    environment: {},
    // If the kernel counts processes by uid, the processes of the run itself count too.
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
  // There is always a workspace, so an empty result means that the count failed.
  return entries === undefined || entries === '0' ? null : { entries: Number(entries), bytes: Number(kib) * 1024 };
}
