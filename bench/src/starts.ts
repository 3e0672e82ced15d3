import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { bundleForTests } from '../../apps/server/src/testing/service/bundled-service.ts';
import { median } from './measure.ts';
import type { Row } from './report.ts';

type Context = { dataDir: string };
type Started = { process: ChildProcess; seconds: number };

const nextStarts = 5;
const idleMs = 60_000;

/** The packaged service on its own database: how soon it answers, and its memory when idle. */
export async function measureStarts({ dataDir }: Context): Promise<Row[]> {
  const main = join(await bundleForTests(), 'main.js');
  const first: number[] = [];
  const next: number[] = [];
  const empty: number[] = [];
  for (let installation = 0; installation < 3; installation++) {
    const directory = await mkdtemp(join(dataDir, 'start-'));
    first.push(await startAndStop(main, directory));
    for (let again = 0; again < nextStarts; again++) {
      next.push(await startAndStop(main, directory));
      empty.push(await startOfNode());
    }
    await rm(directory, { recursive: true });
  }
  const rows = [
    startRow('First start, until all of it answers', '≤ 3 s', { ours: median(first), empty: median(empty) }),
    startRow('Next start', '≤ 1 s', { ours: median(next), empty: median(empty) }),
  ];
  for (const [processes, goal] of [
    ['1', '≤ 160 MB'],
    ['auto', '≤ 380 MB'],
  ] as const) {
    const what = `Idle memory after a minute, BOTTEGA_PROCESSES=${processes}`;
    rows.push(aRow(what, goal, await idleMemory(main, dataDir, processes)));
  }
  return rows;
}

function aRow(what: string, goal: string, text: string): Row {
  process.stdout.write(`  ${what}: ${text}\n`);
  const figures = (said: string) => ({ perSecond: 0, p50: 0, p99: 0, text: said });
  return { what, against: '–', goal, ours: figures(text), other: figures('–'), ratio: 0 };
}

/** Compared with starting an empty program: how fast this machine is at the moment. */
function startRow(what: string, goal: string, { ours, empty }: { ours: number; empty: number }): Row {
  const row = aRow(what, goal, `${ours.toFixed(2)} s`);
  const other = { ...row.other, text: `${empty.toFixed(3)} s` };
  return { ...row, against: 'a Node that does nothing', other, ratio: ours / empty };
}

async function startOfNode(): Promise<number> {
  const begun = performance.now();
  await once(spawn(process.execPath, ['--eval', '0']), 'exit');
  return (performance.now() - begun) / 1000;
}

async function startAndStop(main: string, directory: string): Promise<number> {
  const { process: service, seconds } = await start(main, directory, 'auto');
  await stop(service);
  return seconds;
}

async function start(main: string, directory: string, processes: string): Promise<Started> {
  const settings = { BOTTEGA_DATA_DIR: directory, BOTTEGA_PROCESSES: processes, PORT: String(await freePort()) };
  const begun = performance.now();
  const service = spawn(process.execPath, [main, 'start'], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Its log follows its messages, and must be read; otherwise the process blocks.
  let said = '';
  await new Promise<void>((resolve, reject) => {
    service.stdout.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-10_000);
      if (said.includes('Bottega is running')) resolve();
    });
    service.once('exit', () => reject(new Error(`it ended: ${said}`)));
  });
  return { process: service, seconds: (performance.now() - begun) / 1000 };
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

async function stop(service: ChildProcess): Promise<void> {
  const exited = once(service, 'exit');
  service.kill();
  await exited;
}

async function idleMemory(main: string, dataDir: string, processes: string): Promise<string> {
  if (!existsSync('/proc/self/smaps_rollup')) return 'not known: only Linux tells what is shared';
  const directory = await mkdtemp(join(dataDir, 'idle-'));
  const { process: service } = await start(main, directory, processes);
  await new Promise((resolve) => setTimeout(resolve, idleMs));
  const megabytes = proportionalBytes(service.pid ?? 0) / 1e6;
  await stop(service);
  await rm(directory, { recursive: true });
  return `${Math.round(megabytes)} MB`;
}

/** The memory of a process and all below it except PostgreSQL: shared pages count proportionally. */
function proportionalBytes(pid: number): number {
  if (readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')) return 0;
  const own = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) * 1024;
  const threads = readdirSync(`/proc/${pid}/task`);
  const children = threads.flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  );
  return children.reduce((sum, child) => sum + proportionalBytes(Number(child)), own);
}
