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
};

export type ClusterOptions = { nodes: number; workers: number; settings?: Record<string, string>; bundle?: string };

/** Nodes and workers on one PostgreSQL, by way of PgBouncer, with a Redis: what docs/operating.md describes. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const dir = await mkdtemp(join(tmpdir(), 'bottega-faults-'));
  const started: Program[] = [];
  /** Whatever ends this process, nothing of the cluster is left. */
  const abandon = () => {
    for (const one of started) one.signal('SIGKILL');
    killBelow(dir);
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    process.off('exit', abandon);
  };
  process.on('exit', abandon);
  try {
    const bundling = options.bundle ?? bundleForTests();
    const servers = await startServers(dir, started);
    const { nodes, workers, key } = await startNodes(dir, { ...options, bundle: await bundling }, servers, started);
    const receiver = await startReceiver();
    const query = <Row extends object>(statement: string, values: unknown[] = []) =>
      queryOnce<Row>(servers.postgres.connection, statement, values);
    const stop = async () => {
      await receiver.close();
      for (const one of started.toReversed()) await one.stop('SIGKILL');
      abandon();
    };
    return { dir, ...servers, nodes, workers, receiver, key, query, stop };
  } catch (error) {
    abandon();
    throw error;
  }
}

type Servers = Pick<Cluster, 'postgres' | 'redis' | 'pgbouncer'>;

async function startServers(dir: string, started: Program[]): Promise<Servers> {
  const postgres = await preparePostgres(dir, await freePort());
  const redis = prepareRedis(dir, await freePort());
  const pgbouncer = await preparePgBouncer(dir, await freePort(), postgres);
  started.push(postgres, redis, pgbouncer);
  await Promise.all([postgres.start().then(() => createDatabase(postgres)), redis.start()]);
  await pgbouncer.start();
  return { postgres, redis, pgbouncer };
}

function settingsFor({ postgres, redis, pgbouncer }: Servers): Record<string, string> {
  const { host, port, user, database } = postgres.connection;
  return {
    DATABASE_URL: pgbouncer.url,
    DATABASE_SESSION_URL: `postgres://${user}@${host}:${port}/${database}`,
    REDIS_URL: redis.url,
    BOTTEGA_SECRET_KEY: randomBytes(32).toString('hex'),
    BOTTEGA_BUILD_DRIVER: 'process',
    BOTTEGA_LOG_LEVEL: 'warn',
    BOTTEGA_RATE_LIMIT_ENTERPRISE: '100000000/100000000',
    BOTTEGA_LAME_DUCK_SECONDS: '2',
  };
}

type NodeOptions = ClusterOptions & { bundle: string };

async function startNodes(dir: string, options: NodeOptions, servers: Servers, started: Program[]) {
  const settings = { ...settingsFor(servers), ...options.settings };
  const prepare = (count: number, role: Node['role'], word: string) =>
    Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const ports = { api: await freePort(), apps: await freePort() };
        return prepareNode({ name: `${word} ${index + 1}`, role, dir, bundle: options.bundle, settings, ports });
      }),
    );
  const nodes = await prepare(options.nodes, 'api', 'node');
  const workers = await prepare(options.workers, 'worker', 'worker');
  started.push(...nodes, ...workers);
  const [first, ...others] = [...nodes, ...workers];
  // It migrates, and says the key; and it compiles what the others then only load.
  await first?.start();
  const said = await readFile(first?.log ?? '', 'utf8');
  const [key] = /btg_live_\w+/.exec(said) ?? [];
  if (!key) throw new Error(`${first?.name} did not start: ${said}`);
  await Promise.all(others.map((one) => one.start()));
  return { nodes, workers, key };
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
