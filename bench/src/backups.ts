import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createProject, put } from './file-load.ts';
import { type Figures, load, type Measured } from './measure.ts';
import { type Row, row } from './report.ts';
import type { Connection } from './start-server.ts';

type Context = { bottega: string; key: string; seconds: number; connection: Connection; quick: boolean };
type Done = { ms: number; peak: number };

const writesASecond = 200;
const megabyte = 1_000_000;

/** A backup while people write, and one of ten times as much data. */
export async function measureBackups({ bottega, key, seconds, connection, quick }: Context): Promise<Row[]> {
  const client = new pg.Client(connection);
  await client.connect();
  const path = join(tmpdir(), `bench-${process.pid}.backup`);
  const size = quick ? 100 : 1_000;
  try {
    const writes = put(bottega, key, [await createProject(100, { bottega, key })], 100);
    const write = (forSeconds: number) => load({ ...writes, perSecond: writesASecond }, forSeconds, 16);
    await fill(client, size);
    await write(5);
    const alone = await write(4 * seconds);
    const [beside, small] = await Promise.all([write(4 * seconds), run('back up', path, connection)]);
    await fill(client, 9 * size);
    const large = await run('back up', path, connection);
    const verified = await run('verify', path, connection);
    return [
      row(`PUT, ${writesASecond} a second, while a backup is made`, 'without', '≥ 0.9 ×', compare(beside, alone)),
      row(`memory of a backup of ${10 * size} MB`, `of ${size} MB`, '≤ 1.3 ×', {
        ours: inWords(large, 10 * size),
        other: inWords(small, size),
        ratio: large.peak / small.peak,
      }),
      row('memory of its verification', 'its making', '–', {
        ours: inWords(verified, 10 * size),
        other: inWords(large, 10 * size),
        ratio: verified.peak / large.peak,
      }),
    ];
  } finally {
    await rm(path, { force: true });
    await client.query('delete from git_objects where project_id = $1', [projectId]);
    await client.end();
  }
}

const projectId = 'prj_filled';

/** Fills with data that does not compress, like git objects and artifacts. */
async function fill(client: pg.Client, megabytes: number): Promise<void> {
  for (let count = 0; count < megabytes; count++) {
    const deflated = randomBytes(megabyte);
    const values = [projectId, randomBytes(20), deflated];
    await client.query(
      'insert into git_objects (project_id, sha, type, size, deflated) values ($1, $2, 3, 1, $3)',
      values,
    );
  }
}

/** Runs in another process, as the command does. */
async function run(what: 'back up' | 'verify', path: string, connection: Connection): Promise<Done> {
  const child = fork(fileURLToPath(new URL('backup-process.ts', import.meta.url)), [what, path], {
    env: { ...process.env, BENCH_CONNECTION: JSON.stringify(connection) },
  });
  const [done] = (await once(child, 'message')) as [Done];
  await once(child, 'exit');
  return done;
}

const compare = (ours: Figures, other: Figures): Measured => ({
  ours,
  other,
  ratio: ours.perSecond / other.perSecond,
});

const inWords = ({ ms, peak }: Done, megabytes: number): Figures => ({
  perSecond: 0,
  p50: 0,
  p99: 0,
  text: `${Math.round(peak / megabyte)} MB at most, ${Math.round((1000 * megabytes) / ms)} MB/s`,
});
