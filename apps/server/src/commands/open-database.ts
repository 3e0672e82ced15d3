import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../foundation/config/index.ts';
import { type Holder, openEmbeddedDatabase } from '../foundation/db/embedded/index.ts';
import { type ConnectionOptions, openPool, type Pool } from '../foundation/db/index.ts';
import { migrate } from '../foundation/db/migrate.ts';
import { checkAddresses } from '../foundation/db/pooler.sql.ts';
import { createLogger } from '../foundation/http/watching/logging.ts';
import { withinSeconds } from './within-seconds.ts';

export type OpenDatabase = {
  /** For sessions. */
  connection: ConnectionOptions;
  /** For everything else, possibly by way of a pooler. */
  pool: Pool;
  close(): Promise<void>;
};

type Options = { config: Config; log: Logger; holder: Holder['role']; description: string };

/** The external database if one is set, else the embedded one: running already, or started now. */
export async function openDatabase({ config, log, holder, description }: Options): Promise<OpenDatabase> {
  const embedded = config.databaseUrl
    ? null
    : await openEmbeddedDatabase({ dataDir: config.dataDir, holder, description, log });
  const given = embedded?.connection ?? { connectionString: config.databaseUrl ?? '' };
  const sessionUrl = embedded ? null : config.databaseSessionUrl;
  let isClosing = false;
  const pool = openPool(given, {
    max: config.databasePool,
    isShared: sessionUrl !== null,
    // What the end of the database does to connections that are slow to close is no news.
    onIdleError: (error) => isClosing || log.warn({ err: error }, 'a database connection was lost'),
  });
  return {
    connection: sessionUrl === null ? given : { connectionString: sessionUrl },
    pool,
    async close() {
      isClosing = true;
      // Whoever still holds a connection has had their time; the server is stopped under them.
      await withinSeconds(1, pool.end());
      await embedded?.close();
    },
  };
}

/** For a command beside a running service or alone; with `service` as holder, it and the service keep each other out. */
export function openForCommand(
  config: Config,
  command: string,
  holder: Options['holder'] = 'command',
): Promise<OpenDatabase> {
  // The standard output is for the result.
  const log = createLogger('warn', process.stderr);
  return openDatabase({ config, log, holder, description: `bottega ${command} (pid ${process.pid})` });
}

/** Ours, all or those of `names`, and those of the job queue, behind one lock. Returns the names of ours that were applied now. */
export async function migrateDatabase(
  { connection, pool }: OpenDatabase,
  names?: readonly string[],
): Promise<string[]> {
  await checkAddresses(connection, pool);
  const client = new pg.Client({ ...connection, application_name: 'bottega migrate' });
  await client.connect();
  const ownPool = openPool(connection, { max: 1, onIdleError: () => undefined });
  try {
    return await migrate(client, () => runMigrations({ pgPool: ownPool }), names);
  } finally {
    await Promise.all([ownPool.end(), client.end()]);
  }
}
