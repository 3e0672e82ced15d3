import type { Logger } from 'pino';
import { type CacheRegistry, invalidateOnChanges, openCacheRegistry } from './cluster/cache-registry.ts';
import { type Nudges, openNudges } from './cluster/nudges.ts';
import type { Siblings } from './cluster/siblings.ts';
import { type Config, localUrl } from './config/index.ts';
import { type SecretBox, secretBox } from './crypto/secret-box.ts';
import { type ConnectionOptions, type Db, openDb, openPool } from './db/pool.ts';
import type { Pool } from './db/prepared-statements.ts';
import { openReadLane, type ReadLane } from './db/read-lane.ts';
import { openReplica, type Replica } from './db/replica.ts';
import type { Once } from './http/request/idempotency.ts';
import { type RecentWriters, watchWriters } from './http/turns/recent-writers.ts';
import { createMailer, type Mailer } from './mail/index.ts';
import { withNewsOfNodes } from './redis/news-of-nodes.ts';
import type { Redis } from './redis/open-redis.ts';

/** `api` serves requests, `worker` runs jobs, builds and deliveries, `all` does both. */
export type Role = 'all' | 'api' | 'worker';

/** Each purpose has its own key. A value that is sealed for one purpose cannot be opened for another. */
export type Purpose =
  | 'certificates'
  | 'deployment variables'
  | 'idempotent answers'
  | 'mail'
  | 'second factors'
  | 'service keys'
  | 'session invites'
  | 'webhooks';

/** The parts on which every slice is built. */
export type Ground = {
  config: Config;
  log: Logger;
  role: Role;
  connection: ConnectionOptions;
  pool: Pool;
  db: Db;
  /** For reads of single rows by their keys. */
  reads: ReadLane;
  /**
   * A separate pool for heartbeats and lease renewals, so that they do not queue behind requests that wait for a
   * connection.
   */
  vital: Db;
  secretKey: Buffer;
  secrets(purpose: Purpose): SecretBox;
  /** For creating POSTs: runs a request with an Idempotency-Key only once. */
  once: Once;
  mailer: Mailer;
  address: Address;
  publicUrl(): string;
  isDraining(): boolean;
  siblings: Siblings;
  /** Messages that nodes send to each other through the database. */
  nudges: Nudges;
  /** Knows which rows this process caches, and how long each may be used. */
  caches: CacheRegistry;
  /** Null if all reads go to the primary. */
  replica: (Replica & RecentWriters) | null;
  /** Null if there is one node, or if the nodes work without Redis. */
  redis: Redis | null;
  /** Logs a failure of background work, of which no caller learns, in one line with the name of the slice. */
  warn(source: string): (error: unknown, what: string) => void;
  /** Closes the connections that this object has opened itself. */
  close(): Promise<void>;
};

/** The node's address. It comes from the settings or, if they contain none, becomes known when the port opens. */
export type Address = {
  /** 0 until the port opens. */
  port(): number;
  /** The port on which other nodes reach this process. It differs from `port` if several processes share `port`. */
  ownPort(): number;
  publicUrl(): string;
  isOpenAt(port: number, ownPort: number): void;
};

type Options = Pick<
  Ground,
  'config' | 'log' | 'role' | 'connection' | 'pool' | 'secretKey' | 'isDraining' | 'siblings'
>;

const vitalConnections = 2;

export async function createGround(options: Options): Promise<Ground> {
  const { config, connection, log, pool, secretKey, siblings } = options;
  const db = openDb(pool);
  const reads = openReadLane(connection, db);
  const warn: Ground['warn'] = (source) => (error, what) => log.warn({ source, err: error }, what);
  const vitalPool = openPool(connection, {
    max: vitalConnections,
    onIdleError: (error) => warn('database')(error, 'lost the database connection for heartbeats'),
  });
  // Loaded only if it is needed: the Redis library is large, and most installations have no Redis.
  const { openRedis = null } = config.redis ? await import('./redis/open-redis.ts') : {};
  const redis = openRedis && config.redis && openRedis({ ...config.redis, secretKey, onChange: tellOfRedis });
  function tellOfRedis(isThere: boolean, error: unknown): void {
    if (isThere) log.info({ source: 'redis' }, 'Redis is available');
    else
      warn('redis')(
        error,
        'Redis is unavailable; each process counts requests separately, and nodes notify each other through the database',
      );
  }
  const vital = openDb(vitalPool);
  const caches = openCacheRegistry({ connection, siblings });
  invalidateOnChanges(db, caches);
  const allSiblings = redis ? withNewsOfNodes(siblings, redis) : siblings;
  const nudges = openNudges({
    db,
    connection,
    siblings: allSiblings,
    onError: (error) => warn('database')(error, 'failed to notify other nodes'),
  });
  const secrets = (purpose: Purpose) => secretBox(secretKey, purpose);
  const address = createAddress(config);
  const { publicUrl } = address;
  return {
    ...options,
    siblings: allSiblings,
    nudges,
    caches,
    replica: config.replica && replicaOf(config.replica, { ...options, siblings: allSiblings, vital, warn }),
    redis,
    db,
    reads,
    vital,
    secrets,
    once: { db, answers: secrets('idempotent answers') },
    mailer: createMailer({ url: config.smtpUrl, from: config.mailFrom, publicUrl, box: secrets('mail'), log }),
    address,
    publicUrl,
    warn,
    async close() {
      redis?.close();
      await nudges.close();
      await caches.close();
      await reads.close();
      if (!vitalPool.ending) await vitalPool.end();
    },
  };
}

type Around = Options & Pick<Ground, 'vital' | 'warn'>;

/**
 * Opens the replica. Heavy reads may use half of the primary's pool, so the replica's pool has half of its size too.
 */
function replicaOf(given: NonNullable<Config['replica']>, { config, log, siblings, vital, warn }: Around) {
  const replica = openReplica({
    ...given,
    connections: Math.max(1, Math.floor(config.databasePool / 2)),
    vital,
    onChange(isUsed, problem) {
      if (isUsed) log.info({ source: 'replica' }, 'using the standby for heavy reads');
      else warn('replica')(new Error(problem ?? ''), 'not using the standby; all reads go to the primary');
    },
  });
  return { ...replica, ...watchWriters(siblings, given.maxLagMs) };
}

function createAddress(config: Config): Address {
  let openPort = 0;
  let openOwnPort = 0;
  let local = localUrl(config.tls, config.port);
  return {
    port: () => openPort,
    ownPort: () => openOwnPort,
    publicUrl: () => config.publicUrl ?? local,
    isOpenAt(port, ownPort) {
      openPort = port;
      openOwnPort = ownPort;
      local = localUrl(config.tls, port || config.port);
    },
  };
}
