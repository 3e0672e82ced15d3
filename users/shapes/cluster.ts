import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../../apps/server/src/testing/parts/child-environment.ts';
import { freePortPair } from '../../apps/server/src/testing/parts/free-port.ts';
import { missingPackages } from '../../apps/server/src/testing/parts/installed.ts';
import { ofCheckout } from './clone.ts';
import { startServers } from './cluster-servers.ts';
import { isReady, runService } from './service-process.ts';
import type { Running, Settings, Shape } from './shape.ts';
import { startService } from './start-service.ts';

const programs = ['pgbouncer', 'versitygw', 'unshare'];

/** Two nodes that answer requests and a worker, as on three machines: docs/scaling.md. */
export const cluster: Shape = {
  name: 'cluster',
  lacks: () => missingPackages([...programs, 'redis-server']),
  start: (settings) => startCluster(settings, true),
};

/** The same nodes, which notify each other only through PostgreSQL. */
export const clusterWithoutRedis: Shape = {
  name: 'cluster-without-redis',
  lacks: () => missingPackages(programs),
  start: (settings) => startCluster(settings, false),
};

async function startCluster(settings: Settings = {}, hasRedis: boolean): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'bottega-cluster-'));
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const one of stops.toReversed()) await one();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const servers = await startServers(folder, { hasRedis, stops });
    const nodes = await startNodes({ folder, shared: { ...servers, ...settings }, stops });
    return { ...nodes, hasRedis, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Nodes = { folder: string; shared: Settings; stops: (() => Promise<void>)[] };

async function startNodes({ folder, shared, stops }: Nodes): Promise<Running> {
  const port = await freePortPair();
  const settings = {
    ...childEnvironment(),
    BOTTEGA_SECRET_KEY: randomBytes(32).toString('hex'),
    // The URLs of a load balancer in front of the nodes. Here the first node has them.
    BOTTEGA_PUBLIC_URL: `http://localhost:${port}`,
    BOTTEGA_APPS_URL: `http://localhost:${port + 1}`,
    ...shared,
  };
  const ofNode = (PORT: number) => ({
    ...settings,
    PORT: String(PORT),
    BOTTEGA_DATA_DIR: join(folder, `data-${PORT}`),
  });
  const start = (role: 'api' | 'worker') => [...ofCheckout.command, 'start', '--role', role];
  // The first node migrates the database and creates the administrator.
  const first = await startService({ start: start('api'), operator: { ...ofCheckout, folder, env: ofNode(port) } });
  stops.push(first.stop);
  const startAnother = async (role: 'api' | 'worker'): Promise<string> => {
    const own = await freePortPair();
    const url = `http://localhost:${own}`;
    const node = runService(start(role), { cwd: ofCheckout.cwd, env: ofNode(own) });
    stops.push(node.stop);
    await node.until(`the node at ${url} is ready`, () => isReady(url));
    return url;
  };
  const second = await startAnother('api');
  await startAnother('worker');
  return { ...first, nodes: [first.url, second] };
}
