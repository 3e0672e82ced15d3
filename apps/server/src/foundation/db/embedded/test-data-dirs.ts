import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readlink, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { type EmbeddedDatabase, openEmbeddedDatabase } from './index.ts';
import { inspectPostmaster } from './postmaster.ts';

type Connection = EmbeddedDatabase['connection'];
export type Said = { connection?: Connection; error?: { name: string; message: string } };

/**
 * Data directories for the tests of one file. Each test gets its own, filled from a cluster that is created once. After
 * each test, everything is closed, and no PostgreSQL process may be left.
 */
export function useDataDirs() {
  let base = '';
  let made: string[] = [];
  let open: EmbeddedDatabase[] = [];
  let children: ChildProcess[] = [];
  let template: Promise<string> | undefined;

  beforeAll(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'bottega-test-')));
    await chmod(base, 0o755); // some tests run as another user
  });

  afterEach(async () => {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await Promise.all(open.map((database) => database.close()));
    const dirs = made;
    [made, open, children] = [[], [], []];
    for (const dir of dirs) await expectNothingRuns(dir);
  });

  afterAll(() => rm(base, { recursive: true, force: true }));

  async function makeTemplate(): Promise<string> {
    const dataDir = join(base, 'template');
    const database = await openEmbeddedDatabase({ ...quiet, dataDir });
    await database.close();
    return clusterOf(dataDir);
  }

  /** A path that does not exist yet. */
  function fresh(name = 'data', parent = join(base, randomUUID())): string {
    const dir = join(parent, name);
    made.push(dir);
    return dir;
  }

  return {
    fresh,
    /** A data directory with a cluster that was shut down cleanly. */
    async filled(dir = fresh()): Promise<string> {
      template ??= makeTemplate();
      await mkdir(dirname(clusterOf(dir)), { recursive: true, mode: 0o700 });
      // `cp` is twice as fast as Node's own copy for a thousand files.
      await promisify(execFile)('cp', ['-Rp', await template, clusterOf(dir)]);
      return dir;
    },
    async open(dataDir: string, options: Partial<Options> = {}): Promise<EmbeddedDatabase> {
      const database = await openEmbeddedDatabase({ ...quiet, ...options, dataDir });
      open.push(database);
      return database;
    },
    /** Runs holder.fixture.ts, with a prefix such as `unshare …` or as another user. */
    async spawnHolder(args: string[], how: { prefix?: string[]; uid?: number; gid?: number } = {}) {
      const { prefix = [], ...user } = how;
      const fixture = join(import.meta.dirname, 'holder.fixture.ts');
      const [file = '', ...rest] = [...prefix, process.execPath, fixture, ...args];
      const child = spawn(file, rest, { ...user, stdio: ['pipe', 'pipe', 'inherit'] });
      children.push(child);
      const lines = createInterface(child.stdout);
      const [line] = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
      if (line === undefined) throw new Error('the fixture ended without a word');
      const said: Said = JSON.parse(line);
      return { ...said, child };
    },
  };
}

type Options = Parameters<typeof openEmbeddedDatabase>[0];

const quiet = {
  holder: 'service' as const,
  description: 'a test',
  log: { info: () => undefined, warn: () => undefined },
};

export const clusterOf = (dataDir: string) => join(dataDir, 'postgres', 'data');

export async function query(connection: Connection | undefined, text: string): Promise<unknown[]> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query({ text, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

/** Counts the connections that hold the owner's lock. */
export async function owners(connection: Connection): Promise<unknown> {
  return (await query(connection, "SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND granted"))[0];
}

export async function postmasterPid(dataDir: string): Promise<number> {
  const postmaster = await inspectPostmaster(clusterOf(dataDir));
  if (!('pid' in postmaster)) throw new Error(`no server runs: ${postmaster.state}`);
  return postmaster.pid;
}

async function expectNothingRuns(dataDir: string): Promise<void> {
  try {
    await vi.waitFor(async () => expect(await processesIn(clusterOf(dataDir))).toEqual([]), { timeout: 60_000 });
  } finally {
    const left = await inspectPostmaster(clusterOf(dataDir));
    if ('pid' in left) process.kill(left.pid, 'SIGQUIT');
  }
}

/** Every process of a server has the cluster as its working directory. On other systems only postmasters are found. */
async function processesIn(cluster: string): Promise<number[]> {
  if (process.platform !== 'linux') {
    const postmaster = await inspectPostmaster(cluster);
    return 'pid' in postmaster ? [postmaster.pid] : [];
  }
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const dirs = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')));
  return pids.filter((_, index) => dirs[index] === cluster);
}
