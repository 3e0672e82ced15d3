import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleForTests } from '../../apps/server/src/testing/service/bundled-service.ts';
import { median } from './measure.ts';
import { proportionalBytes, start, stop } from './packaged-service.ts';
import type { Row } from './report.ts';

type Context = { dataDir: string };

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
    ['1', '≤ 150 MB'],
    ['auto', '≤ 250 MB'],
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
  const { process: service, seconds } = await start(main, directory, { BOTTEGA_PROCESSES: 'auto' });
  await stop(service);
  return seconds;
}

async function idleMemory(main: string, dataDir: string, processes: string): Promise<string> {
  if (!existsSync('/proc/self/smaps_rollup')) return 'not known: only Linux tells what is shared';
  const directory = await mkdtemp(join(dataDir, 'idle-'));
  const { process: service } = await start(main, directory, { BOTTEGA_PROCESSES: processes });
  await new Promise((resolve) => setTimeout(resolve, idleMs));
  const megabytes = proportionalBytes(service.pid ?? 0) / 1e6;
  await stop(service);
  await rm(directory, { recursive: true });
  return `${Math.round(megabytes)} MB`;
}
