import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import type { ConnectionOptions } from '../../apps/server/src/foundation/db/index.ts';
import { createProject, pathOf, put } from './file-load.ts';
import { type Figures, figuresOf, type Measured, measure } from './measure.ts';
import { type Row, row } from './report.ts';
import { send } from './send.ts';

type Context = {
  bottega: string;
  key: string;
  seconds: number;
  connection: ConnectionOptions;
  quick: boolean;
  cache: string;
};
type Bench = Context & { sql: pg.Client };
const run = promisify(execFile);

/** What a history costs: bytes, first clones, writes into large directories, and the history of one path. */
export async function measureHistory(context: Context): Promise<Row[]> {
  const sql = new pg.Client(context.connection);
  await sql.connect();
  const bench = { ...context, sql };
  try {
    const flat = [await flatProject(bench, 10_000), await flatProject(bench, 100)];
    return [
      ...(await keptRows(bench)),
      await flatRow(bench, flat),
      ...(await cloneRows(bench, 1_000)),
      ...(await cloneRows(bench, 10_000)),
      ...(await pathRows(bench)),
    ];
  } finally {
    await sql.end();
  }
}

const tables = ['git_objects', 'git_commits', 'git_packs', 'git_pack_pieces', 'git_pack_buckets'].concat([
  'git_pack_histories',
  'git_pack_paths',
]);

/** Bytes of all git tables with their indexes, without space that the next writes use again. */
async function storedBytes({ sql }: Bench): Promise<number> {
  for (const table of tables) await sql.query(`vacuum full ${table}`);
  const { rows } = await sql.query(
    'select sum(pg_total_relation_size(t::regclass))::float8 as bytes from unnest($1::text[]) t',
    [tables],
  );
  return rows[0].bytes;
}

/** Packs everything that is new in the project, as a worker does some minutes later. */
async function packNow({ sql }: Bench, projectId: string): Promise<number> {
  const begun = performance.now();
  await sql.query(`select graphile_worker.add_job('repositories:pack', $1, job_key => $2)`, [
    JSON.stringify({ project_id: projectId, fewest: 1 }),
    `pack ${projectId}`,
  ]);
  for (;;) {
    const { rows } = await sql.query('select last_error from graphile_worker.jobs where key = $1', [
      `pack ${projectId}`,
    ]);
    if (rows.length === 0) return performance.now() - begun;
    if (rows[0].last_error) throw new Error(`the history was not packed: ${rows[0].last_error}`);
    await delay(50);
  }
}

const text = (figure: string): Figures => ({ perSecond: 0, p50: 0, p99: 0, text: figure });

/** Files of 1 to 4 KB that change in some lines, as texts do. */
async function keptRows(bench: Bench): Promise<Row[]> {
  const commits = bench.quick ? 5_000 : 30_000;
  const { id } = await send<{ id: string }>(bench, 'POST', '/projects', { name: 'Kept' });
  const before = await storedBytes(bench);
  await writeMany(bench, id, { commits, files: 200 });
  const loose = (await storedBytes(bench)) - before;
  const took = await packNow(bench, id);
  const packed = (await storedBytes(bench)) - before;
  const of = (bytes: number) => text(`${(bytes / commits / 1024).toFixed(2)} KB`);
  const what = `bytes kept for a commit, of ${commits.toLocaleString('en')} PUTs of 1 to 4 KB to 200 files`;
  const about = `before they were packed (${(took / 1000).toFixed(1)} s)`;
  return [{ what, against: about, goal: '≤ 1.5 KB', ours: of(packed), other: of(loose), ratio: packed / loose }];
}

async function writeMany(
  bench: Bench,
  id: string,
  { commits, files }: { commits: number; files: number },
): Promise<void> {
  const texts = Array.from({ length: files }, (_, file) =>
    Array.from(
      { length: 25 + ((file * 37) % 75) },
      (_, line) => `  const value${line} = compute(${file}, ${line * 7919});`,
    ),
  );
  let next = 0;
  const write = async (): Promise<void> => {
    for (let number = next++; number < commits; number = next++) {
      const lines = texts[number % files] ?? [];
      for (const line of [number % lines.length, (number * 7) % lines.length]) {
        lines[line] = `  const value${line} = compute(${number}, ${Math.floor(Math.random() * 1e6)});`;
      }
      const path = pathOf(number % files);
      await send(bench, 'PUT', `/projects/${id}/files`, { path, content: lines.join('\n') });
    }
  };
  await Promise.all(Array.from({ length: 16 }, write));
}

async function flatProject(bench: Bench, files: number): Promise<string> {
  const { id } = await send<{ id: string }>(bench, 'POST', '/projects', { name: `flat ${files}` });
  for (let from = 0; from < files; from += 500) {
    const changes = Array.from({ length: Math.min(500, files - from) }, (_, index) => ({
      ...{ action: 'create', path: `/flat/file${from + index}.ts`, content: `export const value = ${from + index};\n` },
    }));
    await send(bench, 'POST', `/projects/${id}/commits`, { changes });
  }
  return id;
}

async function flatRow({ bottega, key, seconds }: Bench, [large = '', small = '']: string[]): Promise<Row> {
  const into = (project: string, files: number) => {
    const target = put(bottega, key, [project], files);
    let count = 0;
    const requests = () => {
      const request = target.requests?.();
      if (!request) throw new Error('there is nothing to write');
      const body = JSON.stringify({ ...JSON.parse(request.body), path: `/flat/file${count++ % files}.ts` });
      return { ...request, body };
    };
    return { ...target, requests };
  };
  const measured = await measure(into(large, 10_000), into(small, 100), seconds, 1);
  return row('PUT into a flat directory of 10,000 files, one after the other', 'of 100 files', '≥ 0.6', measured);
}

const repeats = 5;

/** Compares with git's own clone of the same repository from disk, packed by git. Each first clone is of another project. */
async function cloneRows(bench: Bench, files: number): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'bottega-bench-clone-'));
  const clone = async (from: string, to: string): Promise<number> => {
    const begun = performance.now();
    await run('git', ['clone', '-q', from, join(directory, to)]);
    const took = performance.now() - begun;
    await rm(join(directory, to), { recursive: true });
    return took;
  };
  const [first, warm, local]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < repeats; round++) {
    const project = await createProject(files, bench);
    await packNow(bench, project);
    await dropCache(bench, project);
    const address = `${bench.bottega.replace('://', `://bench:${bench.key}@`)}/git/${project}.git`;
    first.push(await clone(address, 'first'));
    const bare = join(directory, `bare${round}`);
    await run('git', ['clone', '-q', '--bare', address, bare]);
    await run('git', ['-C', bare, 'repack', '-adq']);
    local.push(await clone(`file://${bare}`, 'local'));
    warm.push(await clone(address, 'warm'));
  }
  await rm(directory, { recursive: true });
  const where = 'git clone file:// of the same';
  const name = files.toLocaleString('en');
  const against = (took: number[]): Measured => {
    const [ours, other] = [figuresOf(took), figuresOf(local)];
    return { ours, other, ratio: ours.perSecond / other.perSecond };
  };
  return [
    row(`clone of ${name} files, first`, where, '≥ 0.9', against(first)),
    row(`clone of ${name} files, warm`, where, '', against(warm)),
  ];
}

/** The worker that packed a project has its cache. Another node does not. */
async function dropCache({ cache }: Bench, projectId: string): Promise<void> {
  await rm(join(cache, `${projectId}.git`), { recursive: true, force: true });
}

async function pathRows(bench: Bench): Promise<Row[]> {
  const sizes = { small: 200, large: bench.quick ? 5_000 : 20_000 };
  const histories = { small: await longHistory(bench, sizes.small), large: await longHistory(bench, sizes.large) };
  const read = (id: string, path: string) => ({
    url: `${bench.bottega}/v1/projects/${id}/commits?path=${path}`,
    headers: { authorization: `Bearer ${bench.key}` },
  });
  const compared = async (what: string, path: string, goal: string) =>
    row(
      `commits of a path that ${what}, of ${sizes.large.toLocaleString('en')}`,
      `of ${sizes.small}`,
      goal,
      await measure(read(histories.large, path), read(histories.small, path), bench.seconds, 1),
    );
  return [
    await compared('was often changed', pathOf(0), '≥ 0.67'),
    await compared('was changed twice long ago', '/old.txt', '≥ 0.33'),
  ];
}

async function longHistory(bench: Bench, commits: number): Promise<string> {
  const { id } = await send<{ id: string }>(bench, 'POST', '/projects', { name: `${commits} commits` });
  for (const content of ['one\n', 'two\n'])
    await send(bench, 'PUT', `/projects/${id}/files`, { path: '/old.txt', content });
  await writeMany(bench, id, { commits: commits - 2, files: 20 });
  await packNow(bench, id);
  return id;
}
