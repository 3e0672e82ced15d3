import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { secretBox } from '../../apps/server/src/foundation/crypto/secret-box.ts';
import { migrate } from '../../apps/server/src/foundation/db/migrate.ts';
import { openDb, openPool } from '../../apps/server/src/foundation/db/pool.ts';
import { transaction } from '../../apps/server/src/foundation/db/transaction.ts';
import { issueApiKey, registerService } from '../../apps/server/src/identity/auth/index.ts';
import { createUser } from '../../apps/server/src/identity/users/index.ts';
import type { Connection } from './start-server.ts';

export const secretKey = Buffer.alloc(32, 1);

export type SeededUser = {
  id: string;
  key: string;
  email: string;
  password: string;
  issuer: string;
  secret: string;
};
export type Seeded = { small: SeededUser; large: SeededUser; project: string };

/** One user with 1,000 projects, one with many, and the rest of the total spread over accounts of 1,000. */
export async function seed(connection: Connection, sizes: { large: number; total: number }): Promise<Seeded> {
  const pool = openPool(connection, { max: 2, onIdleError: () => undefined });
  const client = new pg.Client(connection);
  await client.connect();
  await migrate(client, () => runMigrations({ pgPool: pool }));
  // Built once at the end instead of row by row.
  await client.query('drop index project_listing_search');
  const small = await addUser(pool, 'small');
  const large = await addUser(pool, 'large');
  await addProjects(client, small.id, 1_000);
  await addProjects(client, large.id, sizes.large);
  const others = Math.floor((sizes.total - sizes.large - 1_000) / 1_000);
  for (let account = 0; account < others; account++) {
    await addProjects(client, await addAccount(client, account), 1_000);
  }
  await client.query(
    'create index project_listing_search on project_listing using gin (user_id, search_text gin_trgm_ops)',
  );
  await client.query('vacuum analyze');
  // Writes the seeded data now, and not during the measurement.
  await client.query('checkpoint');
  const { rows } = await client.query('select id from projects where owner_id = $1 limit 1', [small.id]);
  await client.end();
  await pool.end();
  return { small, large, project: rows[0].id };
}

export async function addUser(
  pool: pg.Pool,
  name: string,
  plan: 'free' | 'enterprise' = 'enterprise',
): Promise<SeededUser> {
  return transaction(openDb(pool), async (trx) => {
    const email = `${name}@example.com`;
    const account = { email, name, password: name, plan };
    const cause = { actorId: null, requestId: 'req_seed', idempotencyKey: null };
    const { id } = await createUser(trx, { ...account, isAdmin: false, source: 'bench' }, cause);
    const { key } = await issueApiKey(trx, { userId: id, name, scopes: [], expiresAt: null });
    const box = secretBox(secretKey, 'service keys');
    const { secret } = await registerService(trx, box, { userId: id, issuer: name });
    return { id, key, email, password: name, issuer: name, secret };
  });
}

async function addAccount(client: pg.Client, number: number): Promise<string> {
  const id = `usr_${String(number).padStart(26, '0')}`;
  await client.query('insert into users (id, email, username, name) values ($1, $2, $3, $3)', [
    id,
    `account${number}@example.com`,
    `account${number}`,
  ]);
  return id;
}

/** One in a thousand has the rare word that the search looks for. */
async function addProjects(client: pg.Client, userId: string, count: number): Promise<void> {
  await client.query('begin');
  await client.query(
    `insert into projects (id, owner_id, name, description, created_at)
     select 'prj_' || lpad(to_hex(n), 8, '0') || substr(md5($1 || n), 1, 18), $1,
       case when n % 1000 = 7 then 'Needle ' else 'Project ' end || n,
       'Made for measuring: ' || md5(n::text), now() - make_interval(secs => n)
     from generate_series(1, $2::int) as n`,
    [userId, count],
  );
  await client.query('insert into project_stats (project_id) select id from projects where owner_id = $1', [userId]);
  await client.query(
    `insert into project_listing (user_id, project_id, owned, status, name_key, search_text, created_at, updated_at)
     select owner_id, id, true, status, lower(name), lower(name) || chr(31) || lower(description), created_at, updated_at
     from projects where owner_id = $1`,
    [userId],
  );
  await client.query('commit');
}
