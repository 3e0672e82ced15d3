import { type Kysely, sql } from 'kysely';
import type { Queries, RowWithout, Trx } from '../../foundation/db/index.ts';
import type { Database } from '../../foundation/db/schema.ts';

const columns = ['id', 'user_id', 'name', 'type', 'redirect_uris', 'created_at', 'updated_at'] as const;

export type AppRow = RowWithout<'oauth_apps', 'document_url'>;
export type SecretRow = RowWithout<'oauth_app_secrets'>;

export function insertApp(trx: Trx, app: Omit<AppRow, 'created_at' | 'updated_at'>): Promise<AppRow> {
  return trx.insertInto('oauth_apps').values(app).returning(columns).executeTakeFirstOrThrow();
}

export function listApps(db: Queries, userId: string): Promise<AppRow[]> {
  return db.selectFrom('oauth_apps').select(columns).where('user_id', '=', userId).orderBy('id', 'desc').execute();
}

/** Finds an app of the user. Apps of other users count as missing. */
export function findOwnApp(db: Queries, userId: string, id: string): Promise<AppRow | undefined> {
  return ownApp(db, userId, id).executeTakeFirst();
}

export function lockOwnApp(trx: Trx, userId: string, id: string): Promise<AppRow | undefined> {
  return ownApp(trx, userId, id).forUpdate().executeTakeFirst();
}

function ownApp(db: Kysely<Database>, userId: string, id: string) {
  return db.selectFrom('oauth_apps').select(columns).where('id', '=', id).where('user_id', '=', userId);
}

/** Finds any app, for the provider. */
export function findApp(db: Queries, id: string): Promise<AppRow | undefined> {
  return db.selectFrom('oauth_apps').select(columns).where('id', '=', id).executeTakeFirst();
}

export type DocumentedApp = { id: string; url: string; name: string; redirectUris: string[] };

/** Stores what the app's document says at the time of the latest consent of a user. */
export async function rememberDocumentedApp(trx: Trx, { id, url, name, redirectUris }: DocumentedApp): Promise<void> {
  const said = { name, redirect_uris: redirectUris };
  await trx
    .insertInto('oauth_apps')
    .values({ id, user_id: null, document_url: url, type: 'public', ...said })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...said, updated_at: sql<Date>`now()` }))
    .execute();
}

export async function countApps(trx: Trx, userId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('oauth_apps')
    .select((app) => app.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

type Change = { name?: string | undefined; redirect_uris?: string[] | undefined };

export function updateApp(trx: Trx, id: string, change: Change): Promise<AppRow> {
  return trx
    .updateTable('oauth_apps')
    .set({ ...change, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export async function deleteApp(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('oauth_apps').where('id', '=', id).execute();
}

export async function insertSecret(trx: Trx, secret: Pick<SecretRow, 'app_id' | 'digest' | 'hint'>): Promise<void> {
  await trx.insertInto('oauth_app_secrets').values(secret).execute();
}

/** The secrets that are valid now, newest first. */
export function liveSecrets(db: Queries, appIds: string[]): Promise<SecretRow[]> {
  return db
    .selectFrom('oauth_app_secrets')
    .select(['app_id', 'digest', 'hint', 'created_at', 'expires_at'])
    .where(sql<boolean>`app_id = any(${appIds})`)
    .where((secret) => secret.or([secret('expires_at', 'is', null), secret('expires_at', '>', sql<Date>`now()`)]))
    .orderBy('created_at', 'desc')
    .execute();
}

/** Deletes all secrets except the newest, which stays valid for the overlap. */
export async function retireSecrets(trx: Trx, appId: string, overlapSeconds: number): Promise<void> {
  const [newest] = await liveSecrets(trx, [appId]);
  await trx
    .deleteFrom('oauth_app_secrets')
    .where('app_id', '=', appId)
    .where('digest', '!=', newest?.digest ?? Buffer.alloc(0))
    .execute();
  await trx
    .updateTable('oauth_app_secrets')
    .set({ expires_at: sql<Date>`least(expires_at, now() + make_interval(secs => ${overlapSeconds}))` })
    .where('app_id', '=', appId)
    .execute();
}
