import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { BuildDriver, Exit, Running, SandboxSpec } from './driver.ts';
import { unlinkedBytes } from './unlinked.ts';

/**
 * Workspace and /tmp, wherever the driver has put them for a look; each file once, however many names it has. A name may
 * hold anything, a line that looks like a sum included: it can only make the count larger, for its own run.
 */
const countCommand = `du -akx . ../tmp ../var/tmp 2>/dev/null |
awk '/^[0-9]+\\t(\\.|\\.\\.\\/tmp|\\.\\.\\/var\\/tmp)$/ { kib += $1 } END { print NR, kib }'`;

const soonestMs = 1_000;
const latestMs = 15_000;
/** After a count that took long there is a pause of so many times as long, within the limit above. */
const pauses = 5;

type Used = { entries: number; bytes: number };

/**
 * No file system here has a quota for a directory, so a run's disk is counted while it goes on: by a second, read-only
 * run in the same directory, so that the service itself never walks there. Between two counts a run can use more than it
 * may; how much more, is a matter of how fast the disk is.
 */
export function withDiskLimit(driver: BuildDriver): BuildDriver {
  return {
    ...driver,
    async start(spec) {
      const running = await driver.start(spec);
      return spec.isReadOnly ? running : heldToDisk(driver, spec, running);
    },
  };
}

function heldToDisk(driver: BuildDriver, spec: SandboxSpec, running: Running): Running {
  const over = new AbortController();
  void running.ended.then(() => over.abort());
  let isExceeded = false;
  const counting = keepCounting(driver, { spec, running }, over.signal).then(async (exceeded) => {
    isExceeded = exceeded;
    if (exceeded) await running.stop(0);
  });
  const ended = running.ended.then(async (exit): Promise<Exit> => {
    // Nobody removes the directory while something still counts in it.
    await counting;
    return isExceeded && exit.stoppedBy === 'request' ? { ...exit, stoppedBy: 'disk' } : exit;
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

type Counted = { spec: SandboxSpec; running: Running };

/** Until it is over, or there is too much. What does not change is looked at more seldom. */
async function keepCounting(driver: BuildDriver, { spec, running }: Counted, signal: AbortSignal): Promise<boolean> {
  const { diskBytes, diskEntries } = spec.limits;
  const device = (await stat(spec.directory).catch(() => null))?.dev ?? -1;
  let [pause, last] = [soonestMs, 0];
  for (let number = 0; ; number++) {
    await delay(pause, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return false;
    const begun = Date.now();
    // One that could not be made says nothing; the next one will.
    const used = await count(driver, { ...spec, id: `${spec.id}_disk${number}` }, signal).catch(() => null);
    const unlinked = await unlinkedBytes(await running.processes(), device);
    if ((used?.bytes ?? 0) + unlinked > diskBytes || (used?.entries ?? 0) > diskEntries) return true;
    const wanted = used?.bytes === last ? pause * 2 : soonestMs;
    pause = Math.min(latestMs, Math.max(wanted, (Date.now() - begun) * pauses));
    last = used?.bytes ?? last;
  }
}

async function count(driver: BuildDriver, spec: SandboxSpec, signal: AbortSignal): Promise<Used | null> {
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
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  running.stderr.resume();
  let text = '';
  running.stdout.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(0, 100);
  });
  await running.ended;
  signal.removeEventListener('abort', stop);
  const [, entries, kib] = /^(\d+) (\d+)\s*$/.exec(text) ?? [];
  return entries === undefined ? null : { entries: Number(entries), bytes: Number(kib) * 1024 };
}
