import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Figures, figuresOf, type Measured, measure } from './measure.ts';
import type { Row } from './report.ts';
import { send } from './send.ts';
import type { Connection } from './start-server.ts';

type Context = { bottega: string; bare: string; key: string; seconds: number; connection: Connection };
type Deployment = { id: string; status: string; url: string; error: unknown };

const lines = 200_000;
const batch = 5_000;
const page = `export const words = ${JSON.stringify('some words of a script '.repeat(400))};\n`;

/** The time from the request until a client that polls every few milliseconds sees the success. */
async function deploy(context: Context, project: string, body: object): Promise<Deployment & { milliseconds: number }> {
  const begun = performance.now();
  const path = `/projects/${project}/deployments`;
  const { id } = await send<Deployment>(context, 'POST', path, body);
  for (;;) {
    const now = await send<Deployment>(context, 'GET', `${path}/${id}`);
    if (now.status === 'success') return { ...now, milliseconds: performance.now() - begun };
    if (now.status === 'failed') throw new Error(`the deployment failed: ${JSON.stringify(now.error)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export async function measureDeployments(context: Context): Promise<Row[]> {
  const { id: project } = await send<{ id: string }>(context, 'POST', '/projects', { name: 'Deployed' });
  const changes = [
    { action: 'create', path: '/index.html', content: '<h1>Hello</h1>' },
    { action: 'create', path: '/page.js', content: page },
  ];
  await send(context, 'POST', `/projects/${project}/commits`, { changes });
  const site = await deploy(context, project, {});
  const apps = `http://localhost:${new URL(site.url).port}/d/${site.id}`;
  return [
    {
      what: 'A file of an artifact',
      against: 'Fastify, stat and stream from disk',
      goal: '≥ 0.5',
      ...(await measure({ url: `${apps}/page.js` }, { url: `${context.bare}/disk/page.js` }, context.seconds)),
    },
    {
      what: 'POST to success of a build that does nothing',
      against: 'the command alone',
      goal: '–',
      ...(await noOp(context, project)),
    },
    {
      what: 'Log lines kept',
      against: 'the same rows, inserted and nothing else',
      goal: '–',
      ...(await logLines(context, project)),
    },
  ];
}

async function noOp(context: Context, project: string): Promise<Measured> {
  const ours: number[] = [];
  const alone: number[] = [];
  for (let count = 0; count < 15; count++) {
    ours.push((await deploy(context, project, { build_command: 'true' })).milliseconds);
    const begun = performance.now();
    await promisify(execFile)('/bin/sh', ['-c', 'true']);
    alone.push(performance.now() - begun);
  }
  const figures = { ours: figuresOf(ours), other: figuresOf(alone) };
  const share = 1 - figures.other.p50 / figures.ours.p50;
  process.stdout.write(`  outside of the build command: ${Math.round(share * 100)} % of ${figures.ours.p50} ms\n`);
  return { ...figures, ratio: figures.ours.perSecond / figures.other.perSecond };
}

async function logLines(context: Context, project: string): Promise<Measured> {
  const { milliseconds } = await deploy(context, project, { build_command: `seq ${lines}` });
  const bare = await insertAlone(context.connection);
  const of = (ms: number): Figures => ({ perSecond: lines / (ms / 1000), p50: Math.round(ms), p99: Math.round(ms) });
  return { ours: of(milliseconds), other: of(bare), ratio: bare / milliseconds };
}

async function insertAlone(connection: Connection): Promise<number> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(
    'create table bare_lines (seq int primary key, at timestamptz, level text, stream text, message text)',
  );
  const begun = performance.now();
  for (let from = 0; from < lines; from += batch) {
    const some = Array.from({ length: batch }, (_, index) => from + index);
    await client.query(
      `insert into bare_lines select n, now(), 'info', 'stdout', m from unnest($1::int[], $2::text[]) as l (n, m)`,
      [some, some.map(String)],
    );
  }
  const taken = performance.now() - begun;
  await client.end();
  return taken;
}
