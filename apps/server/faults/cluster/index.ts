import { randomBytes } from 'node:crypto';
import { freePort } from '../../src/testing/parts/free-port.ts';
import { bundleForTests } from '../../src/testing/service/bundled-service.ts';
import { type Node, prepareNode } from './node.ts';
import { type PgBouncer, preparePgBouncer } from './pgbouncer.ts';
import { createDatabase, type Postgres, preparePostgres } from './postgres.ts';
import type { Program } from './program.ts';
import { prepareRedis, type Redis } from './redis.ts';
import { keySaidBy, type Site, startSite } from './site.ts';

export type { Site } from './site.ts';

type Servers = { postgres: Postgres; pgbouncer: PgBouncer; redis: Redis };
export type Cluster = Site & Servers;

export type ClusterOptions = { nodes: number; workers: number; settings?: Record<string, string>; bundle?: string };

/** Nodes and workers on one PostgreSQL, through PgBouncer, with a Redis: the setup in docs/operating.md. */
export const startCluster = (options: ClusterOptions): Promise<Cluster> =>
  startSite(async (dir, started) => {
    const bundling = options.bundle ?? bundleForTests();
    const servers = await startServers(dir, started);
    const nodes = await startNodes(dir, { ...options, bundle: await bundling }, servers, started);
    return { ...servers, ...nodes, connection: servers.postgres.connection };
  });

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
    BOTTEGA_LAME_DUCK_SECONDS: '2',
    BOTTEGA_PROCESSES: '1',
  };
}

type NodeOptions = ClusterOptions & { bundle: string };

async function startNodes(dir: string, options: NodeOptions, servers: Servers, started: Program[]) {
  const settings = { ...settingsFor(servers), ...options.settings };
  const prepare = (count: number, role: Node['role'], word: string) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        prepareNode({ name: `${word} ${index + 1}`, role, dir, bundle: options.bundle, settings }),
      ),
    );
  const nodes = await prepare(options.nodes, 'api', 'node');
  const workers = await prepare(options.workers, 'worker', 'worker');
  started.push(...nodes, ...workers);
  const [first, ...others] = [...nodes, ...workers];
  if (!first) throw new Error('a cluster has at least one node');
  // The first node migrates and prints the key. It also fills the compile cache that the others load.
  await first.start();
  const key = await keySaidBy(first);
  await Promise.all(others.map((one) => one.start()));
  return { nodes, workers, key };
}
