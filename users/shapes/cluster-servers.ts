import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { preparePgBouncer } from '../../apps/server/faults/cluster/pgbouncer.ts';
import { createDatabase, preparePostgres } from '../../apps/server/faults/cluster/postgres.ts';
import type { Program } from '../../apps/server/faults/cluster/program.ts';
import { prepareRedis } from '../../apps/server/faults/cluster/redis.ts';
import { freePort } from '../../apps/server/src/testing/parts/free-port.ts';
import { gatewayKeys, startS3Gateway } from '../../apps/server/src/testing/parts/s3-gateway.ts';
import type { Settings } from './shape.ts';

/** Enough for the sessions of three nodes and those of the pooler, as in compose.scale.yaml. */
const connections = 250;

type Options = { hasRedis: boolean; stops: (() => Promise<void>)[] };

/**
 * PostgreSQL behind PgBouncer, an S3 bucket and optionally Redis, with their data in `dir`. Returns the settings of a
 * node. `stops` gets a function to stop each of them, even if a later one does not start.
 */
export async function startServers(dir: string, { hasRedis, stops }: Options): Promise<Settings> {
  const start = async (server: Program) => {
    stops.push(() => server.stop('SIGINT'));
    await server.start();
  };
  const postgres = await preparePostgres(dir, await freePort(), connections);
  await start(postgres);
  await createDatabase(postgres);
  const pgbouncer = await preparePgBouncer(dir, await freePort(), postgres);
  await start(pgbouncer);
  const redis = hasRedis ? prepareRedis(dir, await freePort()) : null;
  if (redis) await start(redis);
  const buckets = join(dir, 'buckets');
  await mkdir(buckets);
  const gateway = await startS3Gateway(buckets);
  stops.push(async () => gateway.stop());
  const { host, port, user, database } = postgres.connection;
  return {
    DATABASE_URL: pgbouncer.url,
    DATABASE_SESSION_URL: `postgres://${user}@${host}:${port}/${database}`,
    ...(redis && { REDIS_URL: redis.url }),
    BOTTEGA_OBJECTS: 's3://kept/bottega',
    BOTTEGA_S3_ENDPOINT: gateway.endpoint,
    ...gatewayKeys,
  };
}
