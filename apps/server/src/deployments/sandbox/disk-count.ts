import type { BuildDriver, Running, SandboxSpec } from './driver.ts';

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

const longestSeconds = 60;

export type Used = { entries: number; bytes: number };

/**
 * Parses the result of a count. Null if the count failed. An empty result also means that, because there is always at
 * least the workspace to count.
 */
function usedOf(text: string): Used | null {
  const [, entries, kib] = /^(\d+) (\d+)\s*$/.exec(text) ?? [];
  return entries === undefined || entries === '0' ? null : { entries: Number(entries), bytes: Number(kib) * 1024 };
}

/** The read-only run that counts what a run has written. */
const countingSpec = ({ agent: _agent, layers: _layers, ...spec }: SandboxSpec): SandboxSpec => ({
  ...spec,
  command: countCommand,
  environment: {},
  limits: {
    ...spec.limits,
    memoryBytes: 256 * 2 ** 20,
    // If the kernel counts processes by uid, the processes of the run itself count too.
    processes: spec.limits.processes + 16,
    cpus: 1,
    seconds: longestSeconds,
  },
  port: null,
  isReadOnly: true,
});

export async function countOnce(driver: BuildDriver, spec: SandboxSpec, signal?: AbortSignal): Promise<Used | null> {
  const running = await driver.start(countingSpec(spec));
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
  return usedOf(text);
}

/** Counts disk use repeatedly. */
export type Counter = { count(number: number, signal: AbortSignal): Promise<Used | null>; stop(): Promise<void> };

/**
 * Opens a counter. The start of a container takes as long as many counts. So with a driver that keeps files, one run
 * stays open and counts whenever it is asked to. If it fails, the next count starts another one.
 */
export function openCounter(driver: BuildDriver, spec: SandboxSpec): Counter {
  if (!driver.keeps || !spec.agent) {
    return {
      count: (number, signal) => countOnce(driver, { ...spec, id: `${spec.id}_disk${number}` }, signal),
      stop: async () => undefined,
    };
  }
  let running: Promise<Running> | null = null;
  const stop = async () => {
    const last = await running?.catch(() => null);
    running = null;
    await last?.stop(0);
  };
  return {
    stop,
    async count(number, signal) {
      running ??= startLasting(driver, { ...spec, id: `${spec.id}_disk${number}` });
      const used = await running.then((started) => askOnce(started, signal)).catch(() => null);
      if (used === null) await stop();
      return used;
    },
  };
}

async function startLasting(driver: BuildDriver, spec: SandboxSpec): Promise<Running> {
  const counting = countingSpec(spec);
  const command = `while read -r line; do ${countCommand}\ndone`;
  const running = await driver.start({
    ...counting,
    command,
    limits: { ...counting.limits, seconds: null },
    hasInput: true,
  });
  running.stderr.resume();
  running.stdout.resume();
  // Errors are ignored, because the end of the channel follows.
  running.channel?.on('error', () => undefined);
  return running;
}

/** Asks the running counter once. Null if there is no answer in time. */
function askOnce({ channel }: Running, signal: AbortSignal): Promise<Used | null> {
  return new Promise((resolve) => {
    if (!channel || channel.destroyed || signal.aborted) return resolve(null);
    let text = '';
    const finish = () => {
      clearTimeout(late);
      channel.off('data', take).off('close', finish);
      signal.removeEventListener('abort', finish);
      resolve(usedOf(text));
    };
    const take = (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(0, 100);
      if (text.endsWith('\n')) finish();
    };
    const late = setTimeout(finish, longestSeconds * 1000);
    signal.addEventListener('abort', finish, { once: true });
    channel.on('data', take).on('close', finish);
    channel.write('\n');
  });
}
