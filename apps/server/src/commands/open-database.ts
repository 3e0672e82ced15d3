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
  /** For connections that need a separate session. */
  connection: ConnectionOptions;
  /** For everything else, possibly through a pooler. */
  pool: Pool;
  close(): Promise<void>;
};

type Options = { config: Config; log: Logger; holder: Holder['role']; description: string };

/** Opens the external database if one is set, otherwise the embedded one, which is started if it does not run. */
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
    // While the database is being closed, connections that close slowly may fail. These failures are not logged.
    onIdleError: (error) => isClosing || log.warn({ err: error }, 'lost a database connection'),
  });
  return {
    connection: sessionUrl === null ? given : { connectionString: sessionUrl },
    pool,
    async close() {
      isClosing = true;
      // Connections that are still in use have had enough time. The server stops anyway.
      await withinSeconds(1, pool.end());
      await embedded?.close();
    },
  };
}

/**
 * Opens the database for a command, with or without a running service. With `service` as holder, the command and the
 * service cannot run at the same time.
 */
export function openForCommand(
  config: Config,
  command: string,
  holder: Options['holder'] = 'command',
): Promise<OpenDatabase> {
  // Standard output is for the result.
  const log = createLogger('warn', process.stderr);
  return openDatabase({ config, log, holder, description: `bottega ${command} (pid ${process.pid})` });
}

/**
 * Runs our migrations (all, or those in `names`) and those of the job queue, under one lock. Returns the names of our
 * migrations that ran.
 */
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
