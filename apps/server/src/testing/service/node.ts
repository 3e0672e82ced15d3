import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { LiveOwnership, LiveTexts } from '../../collaboration/texts/index.ts';
import { readConfig } from '../../foundation/config/index.ts';
import { type ConnectionOptions, openPool } from '../../foundation/db/index.ts';
import type { Role } from '../../foundation/ground.ts';
import { createLogger } from '../../foundation/http/watching/logging.ts';
import { createService } from '../../service.ts';
import { cheapHashing } from '../clients/passwords.ts';

type Options = {
  connection: ConnectionOptions;
  role?: Role;
  settings?: Record<string, string>;
  /** Nodes that open each other's secrets share it. */
  secretKey?: Buffer;
  createLiveTexts?: (ownership: LiveOwnership) => LiveTexts;
};

/** One node on an existing database, as each of several machines would run it. */
export async function startNode({
  connection,
  role = 'api',
  settings = {},
  secretKey = randomBytes(32),
  createLiveTexts,
}: Options): Promise<{ url: string; pool: pg.Pool; close(): Promise<void> }> {
  const config = readConfig({ PORT: '0', BOTTEGA_HOST: '127.0.0.1', ...settings });
  const pool = openPool(connection, { max: 5, onIdleError: () => undefined });
  const log = createLogger('silent');
  const live = createLiveTexts && { createLiveTexts };
  const service = await createService({
    config,
    log,
    connection,
    pool,
    secretKey,
    role,
    hashing: cheapHashing,
    ...live,
  });
  await service.listen();
  let closed: Promise<void> | undefined;
  return {
    url: service.publicUrl(),
    pool,
    /** May be called again. */
    close: () => (closed ??= service.drain().then(() => pool.end())),
  };
}
