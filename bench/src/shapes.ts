import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { bundleForTests } from '../../apps/server/src/testing/service/bundled-service.ts';
import { createProject, put } from './file-load.ts';
import { load, median, type Target } from './measure.ts';
import { processorTime, proportionalBytes, type Started, start, stop } from './packaged-service.ts';
import type { Row } from './report.ts';

type Context = { dataDir: string; seconds: number; quick: boolean };
/** `auto` is the default, and `1` runs everything in one process. */
const shapes = ['1', 'auto', '2'] as const;
type Shape = (typeof shapes)[number];
type Running = Started & { shape: Shape; pid: number; projects: string[] };
type Cost = { node: number; database: number; perSecond: number };
type Kind = { what: string; clients: number; target(running: Running): Target };

const rounds = 3;
const warmUpSeconds = 5;
const unlimited = '900000000/900000000';
const limits = {
  BOTTEGA_RATE_LIMIT_FREE: unlimited,
  BOTTEGA_RATE_LIMIT_PRO: unlimited,
  BOTTEGA_RATE_LIMIT_ENTERPRISE: unlimited,
};

const get =
  (path: (running: Running) => string) =>
  (running: Running): Target => ({
    url: `${running.url}/v1${path(running)}`,
    headers: { authorization: `Bearer ${running.key}` },
  });

const kinds: Kind[] = [
  { what: 'GET of a project', clients: 16, target: get(({ projects }) => `/projects/${projects[0]}`) },
  { what: 'a list of 20 projects', clients: 16, target: get(() => '/projects') },
  { what: 'PUT, one by one', clients: 1, target: ({ url, key, projects }) => put(url, key, projects.slice(0, 1), 100) },
  {
    what: 'PUT, 24 clients on 24 projects',
    clients: 24,
    target: ({ url, key, projects }) => put(url, key, projects, 100),
  },
];

/** What several processes cost beside one, in the service as users start it. */
export async function measureShapes({ dataDir, seconds, quick }: Context): Promise<Row[]> {
  const main = join(await bundleForTests(), 'main.js');
  const running: Running[] = [];
  try {
    for (const shape of shapes) running.push(await startShape(main, dataDir, shape));
    const memory = new Map(running.map((one) => [one.shape, [] as number[]]));
    const weigh = () => running.map(({ shape, pid }) => memory.get(shape)?.push(proportionalBytes(pid)));
    await delay(quick ? 30_000 : 60_000);
    weigh();
    for (const one of running) await prepare(one);
    const rows: Row[] = [];
    for (const kind of kinds) rows.push(...(await compare(running, kind, seconds)));
    weigh();
    await delay(quick ? 60_000 : 300_000);
    weigh();
    const [one, all] = [memory.get('1') ?? [], memory.get('auto') ?? []];
    const when = ['one minute after the start', 'right after load', 'five minutes after load'];
    return [...rows, ...when.map((text, index) => memoryRow(text, all[index] ?? 0, one[index] ?? 0))];
  } finally {
    await Promise.all(running.map(({ process: service }) => stop(service)));
  }
}

async function startShape(main: string, dataDir: string, shape: Shape): Promise<Running> {
  const directory = await mkdtemp(join(dataDir, 'shape-'));
  const started = await start(main, directory, { ...limits, BOTTEGA_PROCESSES: shape });
  started.process.once('exit', () => void rm(directory, { recursive: true, force: true }));
  return { ...started, shape, pid: started.process.pid ?? 0, projects: [] };
}

async function prepare(running: Running): Promise<void> {
  const caller = { bottega: running.url, key: running.key };
  for (let count = 0; count < 24; count++) running.projects.push(await createProject(100, caller));
}

/** In turns, so that other work of the machine affects all of them; the median round counts. */
async function compare(running: readonly Running[], kind: Kind, seconds: number): Promise<Row[]> {
  for (const one of running) await costOf(one, kind, warmUpSeconds);
  const costs = new Map<Shape, Cost[]>(shapes.map((shape) => [shape, []]));
  for (let round = 0; round < rounds; round++) {
    for (const one of running) costs.get(one.shape)?.push(await costOf(one, kind, seconds));
  }
  const middle = (shape: Shape): Cost => {
    const all = costs.get(shape) ?? [];
    const of = (name: keyof Cost) => median(all.map((cost) => cost[name]));
    return { node: of('node'), database: of('database'), perSecond: of('perSecond') };
  };
  const one = middle('1');
  return (['auto', '2'] as const).map((shape) => {
    const ours = middle(shape);
    const what = `${kind.what}: processor time with ${shape === 'auto' ? 'the default' : `${shape} for requests`}`;
    const goal = shape === 'auto' ? '≤ 1.1 ×' : '–';
    process.stdout.write(`  ${what}: ${(ours.node / one.node).toFixed(2)}\n`);
    return {
      what,
      against: 'one process',
      goal,
      ours: inWords(ours),
      other: inWords(one),
      ratio: ours.node / one.node,
    };
  });
}

async function costOf({ pid, ...running }: Running, { target, clients }: Kind, seconds: number): Promise<Cost> {
  const before = processorTime(pid);
  const { answered } = await load(target({ pid, ...running }), seconds, clients);
  const after = processorTime(pid);
  return {
    node: (after.node - before.node) / answered,
    database: (after.database - before.database) / answered,
    perSecond: answered / seconds,
  };
}

const inWords = ({ node, database, perSecond }: Cost) => ({
  ...{ perSecond: 0, p50: 0, p99: 0 },
  text: `${Math.round(node)} µs of Node, ${Math.round(database)} of PostgreSQL, ${Math.round(perSecond)}/s`,
});

function memoryRow(when: string, all: number, one: number): Row {
  const figures = (bytes: number) => ({ perSecond: 0, p50: 0, p99: 0, text: `${Math.round(bytes / 1e6)} MB` });
  const goal = { 'one minute after the start': '≤ 250 / ≤ 150 MB', 'five minutes after load': '≤ 300 MB' }[when] ?? '–';
  const what = `Memory of the default, ${when}`;
  return { what, against: 'one process', goal, ours: figures(all), other: figures(one), ratio: all / one };
}
