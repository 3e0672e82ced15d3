import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { bundleForTests } from '../../src/testing/bundled-service.ts';
import { freePort } from '../../src/testing/free-port.ts';
import { killBelow } from './left-behind.ts';
import { type Node, prepareNode } from './node.ts';
import { type PgBouncer, preparePgBouncer } from './pgbouncer.ts';
import { createDatabase, type Postgres, preparePostgres } from './postgres.ts';
import type { Program } from './program.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { prepareRedis, type Redis } from './redis.ts';

export type Cluster = {
  dir: string;
  postgres: Postgres;
  pgbouncer: PgBouncer;
  redis: Redis;
  /** Those that answer requests. */
  nodes: Node[];
  /** Those that deliver, build and run jobs. */
  workers: Node[];
  receiver: Receiver;
  /** Of the administrator, whose plan has no limits. */
  key: string;
  /** One statement on the server itself, by a connection of its own. */
  query<Row extends object>(statement: string, values?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
  /** At once, and without waiting: also good in the handler of a signal, and at an exit. */
  abandon(): void;
};

export type ClusterOptions = { nodes: number; workers: number; settings?: Record<string, string>; bundle?: string };

/** Nodes and workers on one PostgreSQL, by way of PgBouncer, with a Redis: what docs/operating.md describes. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const dir = await mkdtemp(join(tmpdir(), 'bottega-faults-'));
  const started: Program[] = [];
  const abandon = () => {
    for (const one of started) one.signal('SIGKILL');
    killBelow(dir);
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    return await startIn(dir, options, started, abandon);
  } catch (error) {
    abandon();
    throw error;
  }
}

async function startIn(dir: string, options: ClusterOptions, started: Program[], abandon: () => void) {
  const bundling = options.bundle ?? bundleForTests();
  const postgres = await preparePostgres(dir, await freePort());
  const redis = prepareRedis(dir, await freePort());
  const pgbouncer = await preparePgBouncer(dir, await freePort(), postgres);
  started.push(postgres, redis, pgbouncer);
  await Promise.all([postgres.start().then(() => createDatabase(postgres)), redis.start()]);
  await pgbouncer.start();
  const { host, port, user, database } = postgres.connection;
  const settings = {
    DATABASE_URL: pgbouncer.url,
    DATABASE_SESSION_URL: `postgres://${user}@${host}:${port}/${database}`,
    REDIS_URL: redis.url,
    BOTTEGA_SECRET_KEY: randomBytes(32).toString('hex'),
    BOTTEGA_BUILD_DRIVER: 'process',
    BOTTEGA_LOG_LEVEL: 'warn',
    BOTTEGA_RATE_LIMIT_ENTERPRISE: '100000000/100000000',
    BOTTEGA_LAME_DUCK_SECONDS: '2',
    ...options.settings,
  };
  const bundle = await bundling;
  const prepare = async (name: string, role: Node['role']) =>
    prepareNode({ name, role, dir, bundle, settings, ports: { api: await freePort(), apps: await freePort() } });
  const nodes: Node[] = [];
  const workers: Node[] = [];
  for (let number = 1; number <= options.nodes; number++) nodes.push(await prepare(`node ${number}`, 'api'));
  for (let number = 1; number <= options.workers; number++) workers.push(await prepare(`worker ${number}`, 'worker'));
  started.push(...nodes, ...workers);
  // The first one migrates, and says the key; it compiles what the others then only load.
  const [first, ...others] = [...nodes, ...workers];
  await first?.start();
  const key = /btg_live_\w+/.exec(await readFile(first?.log ?? '', 'utf8'))?.[0];
  if (!key) throw new Error(`${first?.name} did not start: ${await readFile(first?.log ?? '', 'utf8')}`);
  await Promise.all(others.map((one) => one.start()));
  const receiver = await startReceiver();
  const stop = async () => {
    await receiver.close();
    for (const one of started.toReversed()) await one.stop('SIGKILL');
    abandon();
  };
  const query = <Row extends object>(statement: string, values: unknown[] = []) =>
    queryOnce<Row>(postgres.connection, statement, values);
  return { dir, postgres, pgbouncer, redis, nodes, workers, receiver, key, query, stop, abandon };
}

async function queryOnce<Row extends object>(connection: pg.ClientConfig, statement: string, values: unknown[]) {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row & pg.QueryResultRow>(statement, values)).rows as Row[];
  } finally {
    await client.end().catch(() => undefined);
  }
}
