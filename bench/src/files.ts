import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createProject, pathOf, put } from './file-load.ts';
import { type Figures, figuresOf, load, type Measured, measure, medianOf, type Target } from './measure.ts';
import { type Row, row } from './report.ts';

type Context = { bottega: string; bare: string; key: string; seconds: number };
const run = promisify(execFile);

export async function measureFiles(context: Context): Promise<Row[]> {
  const { bottega, bare, key, seconds } = context;
  const small = await Promise.all(Array.from({ length: 8 }, () => createProject(100, context)));
  const large = [await createProject(10_000, context)];
  const one = small.slice(0, 1);
  let upserts = 0;
  const upsert: Target = {
    url: bare,
    requests: () => ({
      method: 'PUT',
      path: '/file',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ path: pathOf(upserts % 100), content: `export const value = ${upserts++};\n`.repeat(20) }),
    }),
  };
  const rows = [
    row(
      'PUT of a file, with its commit; 64 clients, one project',
      'bare handler, one upsert; 64 clients',
      '≥ 0.4',
      await measure(put(bottega, key, one, 100), upsert, seconds, 64),
    ),
    row(
      'PUT of a file, with its commit; 16 clients, 8 projects',
      'bare handler, one upsert; 16 clients',
      '≥ 0.2',
      await measure(put(bottega, key, small, 100), upsert, seconds),
    ),
    row(
      'PUT into a project of 10,000 files',
      'the same into one of 100',
      '≥ 0.67',
      await measure(put(bottega, key, large, 10_000), put(bottega, key, one, 100), seconds),
    ),
    row(
      'PUT, one after the other',
      'git add and git commit',
      '≥ 8',
      await oneByOne(put(bottega, key, one, 100), seconds),
    ),
    row(
      '64 writers on one project for 20 s',
      'commits that are in its history then, all of them whole',
      '≥ 1',
      await writersFor(20, context),
    ),
    ...(await cloneRows(context, large[0] ?? '')),
  ];
  const { data } = (await (
    await fetch(`${bottega}/v1/projects/${one[0]}/files?recursive=true&type=file`, {
      headers: { authorization: `Bearer ${key}` },
    })
  ).json()) as { data: { id: string }[] };
  const content = {
    url: `${bottega}/v1/projects/${one[0]}/files/${data[0]?.id}/content`,
    headers: { authorization: `Bearer ${key}` },
  };
  rows.push(
    row(
      'GET of a content',
      'bare handler, one row',
      '≥ 0.55',
      await measure(content, { url: `${bare}/file` }, seconds),
    ),
  );
  return rows;
}

const against = (ours: Figures, other: Figures): Measured => ({ ours, other, ratio: ours.perSecond / other.perSecond });

/**
 * Compares with making the same change repeatedly by the git binary in a plain work tree: both in turns, per second.
 */
async function oneByOne(puts: Target, seconds: number): Promise<Measured> {
  const directory = await mkdtemp(join(tmpdir(), 'bottega-bench-git-'));
  const git = (...args: string[]) => run('git', ['-C', directory, ...args]);
  await git('init', '-q', '-b', 'main');
  await git('config', 'user.name', 'Bench');
  await git('config', 'user.email', 'bench@example.com');
  let count = 0;
  const commit = async () => {
    await writeFile(join(directory, 'file.ts'), `export const value = ${count++};\n`.repeat(20));
    await git('add', 'file.ts');
    await git('commit', '-q', '-m', 'Write');
  };
  const [ours, other]: [Figures[], Figures[]] = [[], []];
  await load(puts, seconds, 1);
  for (let round = 0; round < 3; round++) {
    ours.push(await load(puts, seconds, 1));
    other.push(await repeated(commit, seconds));
  }
  await rm(directory, { recursive: true });
  const perSecond = (round: Figures) => round.perSecond;
  return against(medianOf(ours, perSecond), medianOf(other, perSecond));
}

async function repeated(work: () => Promise<void>, seconds: number): Promise<Figures> {
  const taken: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const begun = performance.now();
    await work();
    taken.push(performance.now() - begun);
  }
  return { ...figuresOf(taken), perSecond: (taken.length * 1000) / taken.reduce((sum, one) => sum + one, 0) };
}

/** Every acknowledged write must be in the history; unfinished ones may be as well. */
async function writersFor(seconds: number, context: Context): Promise<Measured> {
  const { bottega, key } = context;
  const project = await createProject(100, context);
  const ours = await load(put(bottega, key, [project], 100), seconds, 64);
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${bottega}/v1/projects/${project}/commits?limit=1`, { headers });
  const { pagination } = (await answer.json()) as { pagination: { total: number } };
  const commits = pagination.total - 1;
  return { ours, other: { perSecond: commits / seconds, p50: 0, p99: 0 }, ratio: commits / ours.answered };
}

/** Compares with git's own clone of the same repository from disk, whose pack is ready. */
async function cloneRows({ bottega, key }: Context, project: string): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'bottega-bench-clone-'));
  const address = `${bottega.replace('://', `://bench:${key}@`)}/git/${project}.git`;
  const clone = async (from: string, to: string, ...options: string[]): Promise<number> => {
    const begun = performance.now();
    await run('git', ['clone', '-q', ...options, from, join(directory, to)]);
    return performance.now() - begun;
  };
  const first = figuresOf([await clone(address, 'first')]);
  await clone(address, 'bare', '--bare');
  const again: number[] = [];
  const local: number[] = [];
  for (let count = 0; count < 5; count++) {
    again.push(await clone(address, `again${count}`));
    local.push(await clone(`file://${join(directory, 'bare')}`, `local${count}`));
  }
  await rm(directory, { recursive: true });
  const other = figuresOf(local);
  const where = 'git clone file:// of the same';
  return [
    { what: 'clone of 10,000 files, first', against: where, goal: '', ...against(first, other) },
    { what: 'clone of 10,000 files, cached', against: where, goal: '', ...against(figuresOf(again), other) },
  ];
}
