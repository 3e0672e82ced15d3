import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';

/** The service as users start it: from its bundle, with its own database. */
export type Started = { process: ChildProcess; seconds: number; url: string; key: string };

export async function start(main: string, directory: string, settings: Record<string, string>): Promise<Started> {
  const port = await freePort();
  const begun = performance.now();
  const service = spawn(process.execPath, [main, 'start'], {
    env: { ...process.env, BOTTEGA_DATA_DIR: directory, PORT: String(port), ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Its log follows its messages, and must be read; otherwise the process blocks.
  let said = '';
  await new Promise<void>((resolve, reject) => {
    service.stdout.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-10_000);
      // It is written at once, with the credentials of a first start.
      if (said.includes('Bottega is running')) resolve();
    });
    service.once('exit', () => reject(new Error(`it ended: ${said}`)));
  });
  const key = /btg_live_\w+/.exec(said)?.[0] ?? '';
  return { process: service, seconds: (performance.now() - begun) / 1000, url: `http://localhost:${port}`, key };
}

/** A port whose next one is free too, for its apps. It is known beforehand, as for users. */
async function freePort(): Promise<number> {
  const { port } = await listen(0);
  const next = await listen(port + 1).catch(() => null);
  return next ? port : freePort();
}

async function listen(port: number): Promise<AddressInfo> {
  const server = createServer().listen(port);
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return address;
}

export async function stop(service: ChildProcess): Promise<void> {
  const exited = once(service, 'exit');
  service.kill();
  await exited;
}

/** Processor time of the service's own processes so far, and that of its database, in microseconds. */
export function processorTime(pid: number): { node: number; database: number } {
  const used = { node: 0, database: 0 };
  for (const one of [pid, ...descendantsOf(pid)]) {
    const { name, ticks } = readStat(one);
    used[name.startsWith('postgres') ? 'database' : 'node'] += ticks * microsecondsOfTick;
  }
  return used;
}

const microsecondsOfTick = 10_000;

function readStat(pid: number): { name: string; ticks: number } {
  const [, name = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = rest.split(' ').slice(11, 15).map(Number);
  return { name, ticks: user + system + endedUser + endedSystem };
}

export const descendantsOf = (pid: number): number[] =>
  childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);

function childrenOf(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}

/** The memory of a process and all below it except PostgreSQL: shared pages count proportionally. */
export const proportionalBytes = (pid: number): number => memoryOf([pid, ...descendantsOf(pid)]);

/** The memory of these processes except PostgreSQL: shared pages count proportionally. */
export function memoryOf(pids: readonly number[]): number {
  const counted = pids.filter((pid) => !readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres'));
  const bytes = counted.map((pid) => /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]);
  return bytes.reduce((sum, kibibytes) => sum + Number(kibibytes ?? 0) * 1024, 0);
}
