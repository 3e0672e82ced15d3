import { createClient } from '@redis/client';
import type { Cluster } from '../cluster/index.ts';
import type { Program } from '../cluster/program.ts';
import { type Fault, nothingToMend } from './fault.ts';

const away = (which: (cluster: Cluster) => Program, signal: NodeJS.Signals): Fault['inject'] => {
  return async ({ cluster }) => {
    const program = which(cluster);
    await program.stop(signal);
    return () => program.start();
  };
};

const receiver = (how: 'failing' | 'away'): Fault['inject'] => {
  return async ({ cluster }) => {
    await cluster.receiver.behave(how);
    return () => cluster.receiver.behave('well');
  };
};

async function flush({ url }: { url: string }): Promise<void> {
  const client = createClient({ url });
  client.on('error', () => undefined);
  await client.connect();
  await client.flushAll();
  await client.close();
}

export const otherFaults: Fault[] = [
  { name: 'redis-killed', seconds: 8, inject: away(({ redis }) => redis, 'SIGKILL') },
  {
    name: 'redis-stopped',
    seconds: 8,
    async inject({ cluster: { redis } }) {
      redis.signal('SIGSTOP');
      return async () => redis.signal('SIGCONT');
    },
  },
  {
    name: 'redis-flushed',
    seconds: 0,
    async inject({ cluster: { redis } }) {
      await flush(redis);
      return nothingToMend;
    },
  },
  { name: 'pgbouncer-restarted', seconds: 0, inject: away(({ pgbouncer }) => pgbouncer, 'SIGINT') },
  { name: 'pgbouncer-killed', seconds: 5, inject: away(({ pgbouncer }) => pgbouncer, 'SIGKILL') },
  { name: 'receiver-away', seconds: 20, inject: receiver('away') },
  { name: 'receiver-failing', seconds: 20, inject: receiver('failing') },
];
