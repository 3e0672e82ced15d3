import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Figures, type Measured, measure, type Target } from './measure.ts';
import type { Row } from './report.ts';

type Context = { bottega: string; bare: string; key: string; seconds: number };
const run = promisify(execFile);

async function post<Body>(url: string, key: string, body: unknown, method = 'POST'): Promise<Body> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Body;
}

/** A project of so many files, a hundred to a directory, three levels deep as real ones are. */
async function projectOf(files: number, { bottega, key }: Context): Promise<string> {
  const { id } = await post<{ id: string }>(`${bottega}/v1/projects`, key, { name: `${files} files` });
  for (let from = 0; from < files; from += 500) {
    const changes = Array.from({ length: Math.min(500, files - from) }, (_, index) => ({
      action: 'create',
      path: pathOf(from + index),
      content: `export const value = ${from + index};\n`.repeat(20),
    }));
    await post(`${bottega}/v1/projects/${id}/commits`, key, { changes });
  }
  return id;
}

const pathOf = (number: number): string =>
  `/src/part${Math.floor(number / 1000)}/group${Math.floor(number / 100)}/file${number}.ts`;

/** Every request another content, or the second would change nothing. */
const put = (bottega: string, key: string, projects: string[], files: number): Target => {
  let count = 0;
  return {
    url: bottega,
    requests: () => ({
      method: 'PUT',
      path: `/v1/projects/${projects[count % projects.length]}/files`,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ path: pathOf(count % files), content: `export const written = ${count++};\n`.repeat(20) }),
    }),
  };
};

export async function measureFiles(context: Context): Promise<Row[]> {
  const { bottega, bare, key, seconds } = context;
  const small = await Promise.all(Array.from({ length: 8 }, () => projectOf(100, context)));
  const large = [await projectOf(10_000, context)];
  const one = small.slice(0, 1);
  const row = (what: string, against: string, goal: string, measured: Measured): Row => ({
    what,
    against,
    goal,
    ...measured,
  });
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
      'PUT of a file, with its commit',
      'bare handler, one upsert',
      '≥ 0.3',
      await measure(put(bottega, key, small, 100), upsert, seconds),
    ),
    row(
      'PUT into a project of 10,000 files',
      'the same into one of 100',
      '≥ 0.67',
      await measure(put(bottega, key, large, 10_000), put(bottega, key, one, 100), seconds),
    ),
    row('PUT, one after the other', 'git add and git commit', '≥ 5', await againstGit(context, one[0] ?? '')),
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
    row('GET of a content', 'bare handler, one row', '≥ 0.5', await measure(content, { url: `${bare}/file` }, seconds)),
  );
  return rows;
}

/** The same change over and over with the git binary in a plain work tree, and with one REST client. */
async function againstGit({ bottega, key }: Context, project: string): Promise<Measured> {
  const times = 100;
  const directory = await mkdtemp(join(tmpdir(), 'bottega-bench-git-'));
  const git = (...args: string[]) => run('git', ['-C', directory, ...args]);
  await git('init', '-q', '-b', 'main');
  await git('config', 'user.name', 'Bench');
  await git('config', 'user.email', 'bench@example.com');
  const theirs: number[] = [];
  for (let count = 0; count < times; count++) {
    const begun = performance.now();
    await writeFile(join(directory, 'file.ts'), `export const value = ${count};\n`.repeat(20));
    await git('add', 'file.ts');
    await git('commit', '-q', '-m', 'Write');
    theirs.push(performance.now() - begun);
  }
  await rm(directory, { recursive: true });
  const ours: number[] = [];
  for (let count = 0; count < times; count++) {
    const begun = performance.now();
    const body = { path: '/file.ts', content: `export const value = ${count};\n`.repeat(20) };
    await post(`${bottega}/v1/projects/${project}/files`, key, body, 'PUT');
    ours.push(performance.now() - begun);
  }
  const figures = { ours: figuresOf(ours), other: figuresOf(theirs) };
  return { ...figures, ratio: figures.ours.perSecond / figures.other.perSecond };
}

function figuresOf(milliseconds: number[]): Figures {
  const sorted = milliseconds.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
  return { perSecond: 1000 / at(0.5), p50: at(0.5), p99: at(0.99) };
}
