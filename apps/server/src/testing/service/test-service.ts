import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Plan, Scope } from '@bottega/contract';
import type pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import type { LiveOwnership, LiveTexts } from '../../collaboration/texts/index.ts';
import { loadDashboard } from '../../dashboard/built-files.ts';
import type { Siblings } from '../../foundation/cluster/siblings.ts';
import { readConfig } from '../../foundation/config/index.ts';
import { secretBox } from '../../foundation/crypto/secret-box.ts';
import { type Db, openDb, openPool, transaction } from '../../foundation/db/index.ts';
import type { Role } from '../../foundation/ground.ts';
import { createLogger } from '../../foundation/http/watching/logging.ts';
import { issueApiKey, type Passwords, registerService } from '../../identity/auth/index.ts';
import { addUser } from '../../identity/users/index.ts';
import { createService, type Service } from '../../service.ts';
import { workspacesRoot } from '../../workspaces/running/index.ts';
import { testPassword } from '../clients/browser.ts';
import { cheapHashing } from '../clients/passwords.ts';
import { createTestDatabase, type TestDatabase } from '../parts/test-database.ts';
import { testBuildDir } from './build-dir.ts';

type Options = {
  /** Settings in addition to those of every test. */
  settings?: Record<string, string>;
  /** `api` if no job may change what the test checks. */
  role?: Role;
  /** Replaces the service's own live texts. */
  createLiveTexts?: (ownership: LiveOwnership) => LiveTexts;
  /** For tests of passwords. */
  hashing?: Passwords;
  /** Makes the pool connect to a pooler. */
  pooler?: () => Omit<TestDatabase['connection'], 'database'>;
  /** Other processes of the same machine. */
  siblings?: Siblings;
  /** Another build of the dashboard. */
  dashboardIn?: string;
  /** Receives the log lines. */
  logTo?: { write(line: string): void };
};

export type TestService = {
  url: string;
  db: Db;
  pool: pg.Pool;
  service: Service;
  database: TestDatabase;
  secretKey: Buffer;
  dataDir: string;
  createUser(options?: { email?: string; name?: string; plan?: Plan; isAdmin?: boolean }): Promise<TestUser>;
  createKey(
    userId: string,
    options?: { scopes?: Scope[]; expiresAt?: Date | null },
  ): Promise<{ id: string; key: string }>;
  registerIssuer(userId: string, issuer: string): Promise<{ id: string; kid: string; secret: string }>;
};

/** A service of which only the URL is known, as to its users. */
export type Reached = Pick<TestService, 'url'>;

export type TestUser = { id: string; email: string; name: string; username: string; key: string };

/** The dashboard takes eight megabytes, so all services share it. */
const builtDashboard = loadDashboard();

const noCause = { actorId: null, requestId: 'req_test', idempotencyKey: null };

/** A whole service with its own port and database, for the tests of one file. */
export function useTestService(options: Options = {}): TestService {
  const running = {} as TestService;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const started = await startTestService(options);
    close = started.close;
    Object.assign(running, started.running);
  });
  afterAll(() => close?.());
  return running;
}

export async function startTestService(
  options: Options = {},
): Promise<{ running: TestService; close(): Promise<void> }> {
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'bottega-test-'));
  // Raises rate limits, unless the test is about them. The same goes for limits of builds, which tests delay on
  // purpose, and of domains.
  const config = readConfig({
    PORT: '0',
    BOTTEGA_HOST: '127.0.0.1',
    BOTTEGA_DATA_DIR: dataDir,
    // One directory for all, so that our copy of Node is made once and no directory is left for each service.
    BOTTEGA_BUILD_DIR: testBuildDir,
    BOTTEGA_RATE_LIMIT_FREE: '1000000/1000000',
    BOTTEGA_RATE_LIMIT_PRO: '1000000/1000000',
    BOTTEGA_RATE_LIMIT_ENTERPRISE: '1000000/1000000',
    BOTTEGA_BUILDS_FREE: 'none',
    BOTTEGA_DOMAINS_FREE: 'none',
    // Nobody answers there, and it fails at once: no test uses public name servers.
    BOTTEGA_NAME_SERVERS: '127.0.0.1:9',
    ...options.settings,
  });
  const log = options.logTo ? createLogger('trace', options.logTo) : createLogger('silent');
  const { connection } = database;
  const { pooler } = options;
  const pool = openPool(
    { ...connection, ...pooler?.() },
    { max: 10, onIdleError: () => undefined, isShared: !!pooler },
  );
  const db = openDb(pool);
  const secretKey = randomBytes(32);
  const dashboard = options.dashboardIn === undefined ? builtDashboard : loadDashboard(options.dashboardIn);
  const { createLiveTexts, siblings, role = 'all', hashing = cheapHashing } = options;
  const chosen = { ...(createLiveTexts && { createLiveTexts }), ...(siblings && { siblings }) };
  const service = await createService({
    ...{ config, log, connection, pool, secretKey, role, hashing, dashboard },
    ...chosen,
  });
  await service.listen();
  let users = 0;

  const createKey: TestService['createKey'] = (userId, { scopes = [], expiresAt = null } = {}) =>
    transaction(db, (trx) => issueApiKey(trx, { userId, name: 'test', scopes, expiresAt }));

  const running: TestService = {
    url: service.publicUrl(),
    db,
    pool,
    service,
    database,
    secretKey,
    dataDir,
    createKey,
    async createUser({
      email = `user${++users}@example.com`,
      name = 'Test User',
      plan = 'free',
      isAdmin = false,
    } = {}) {
      const passwordHash = await cheapHashing.hash(testPassword);
      const account = { email, name, passwordHash, emailVerified: true, plan, isAdmin, source: 'test' };
      const user = await transaction(db, (trx) => addUser(trx, account, noCause));
      const { key } = await createKey(user.id);
      return { id: user.id, email: user.email, name: user.name, username: user.username, key };
    },
    registerIssuer: (userId, issuer) =>
      transaction(db, (trx) => registerService(trx, secretBox(secretKey, 'service keys'), { userId, issuer })),
  };
  return {
    running,
    async close() {
      await service.drain();
      await pool.end();
      await database.drop();
      for (const path of [dataDir, workspacesRoot(config)]) rmSync(path, { recursive: true, force: true });
    },
  };
}
