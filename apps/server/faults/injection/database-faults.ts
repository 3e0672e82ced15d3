import pg from 'pg';
import type { Cluster } from '../cluster/index.ts';
import { maxConnections } from '../cluster/postgres.ts';
import { backendsOf, lockProject, lockTables, terminateBackends, terminateService } from './cluster-state.sql.ts';
import { type Fault, nothingToMend } from './fault.ts';
import { hold } from './held-transaction.ts';

const restarted = (signal: NodeJS.Signals): Fault['inject'] => {
  return async ({ cluster: { postgres } }) => {
    await postgres.stop(signal);
    await postgres.start();
    return nothingToMend;
  };
};

const stopped = (which: (cluster: Cluster) => Promise<number[]>): Fault['inject'] => {
  return async ({ cluster }) => {
    const pids = await which(cluster);
    for (const pid of pids) send(pid, 'SIGSTOP');
    return async () => {
      for (const pid of pids) send(pid, 'SIGCONT');
    };
  };
};

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended since it was listed.
  }
}

/** Takes all connections, also those that the service had, so that nobody gets a new one. */
async function takeAll({ cluster }: { cluster: Cluster }) {
  const taken: pg.Client[] = [];
  async function takeFree(): Promise<void> {
    while (taken.length < maxConnections) {
      const client = new pg.Client(cluster.postgres.connection);
      client.on('error', () => undefined);
      if (
        !(await client.connect().then(
          () => true,
          () => false,
        ))
      )
        return;
      taken.push(client);
    }
  }
  // The service competes for them, so its connections are ended until it has hardly any.
  for (let tries = 0; tries < 30 && taken.length < maxConnections - 5; tries++) {
    await takeFree();
    await taken[0]?.query(terminateService);
    await takeFree();
  }
  return async () => {
    await Promise.all(taken.map((client) => client.end().catch(() => undefined)));
  };
}

export const databaseFaults: Fault[] = [
  { name: 'postgres-immediate-restart', seconds: 0, inject: restarted('SIGQUIT') },
  { name: 'postgres-fast-restart', seconds: 0, inject: restarted('SIGINT') },
  {
    name: 'postgres-away',
    seconds: 20,
    async inject({ cluster: { postgres } }) {
      await postgres.stop('SIGINT');
      return () => postgres.start();
    },
  },
  {
    name: 'backends-terminated',
    seconds: 0,
    async inject({ cluster }) {
      await terminateBackends(cluster);
      return nothingToMend;
    },
  },
  { name: 'row-locked', seconds: 40, inject: ({ cluster, ground }) => hold(cluster, lockProject(ground.written)) },
  { name: 'tables-locked', seconds: 12, inject: ({ cluster }) => hold(cluster, ...lockTables) },
  { name: 'backends-stopped', seconds: 5, inject: stopped(backendsOf) },
  { name: 'postgres-frozen', seconds: 15, inject: stopped(({ postgres }) => postgres.allPids()) },
  { name: 'connections-taken', seconds: 15, inject: takeAll },
];
