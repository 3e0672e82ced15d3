import { sql } from 'kysely';
import { cleanRows, type Db, type Queries } from '../../foundation/db/index.ts';

export type OauthRecord = {
  digest: Buffer;
  model: string;
  grantId: string | null;
  payload: Record<string, unknown>;
  expiresInSeconds: number;
  /** For a device: the digest of the code that its user types. */
  userCode: Buffer | null;
};

export async function saveRecord(db: Queries, record: OauthRecord): Promise<void> {
  const { digest, model, grantId, payload, expiresInSeconds, userCode } = record;
  await sql`
    insert into oauth_records (digest, model, grant_id, payload, expires_at, user_code)
    values (${digest}, ${model}, ${grantId}, ${JSON.stringify(payload)}::jsonb, ${after(expiresInSeconds)}, ${userCode})
    on conflict (digest) do update set payload = excluded.payload, expires_at = excluded.expires_at`.execute(db);
}

/** Saves an access token, and records that its consent was used now. */
export async function saveAccessToken(db: Queries, record: OauthRecord): Promise<void> {
  const { digest, model, grantId, payload, expiresInSeconds } = record;
  await sql`
    with used as (
      update oauth_consents as c set last_used_at = now() from oauth_grants as g
      where g.id = ${grantId} and c.user_id = g.user_id and c.app_id = g.app_id
    )
    insert into oauth_records (digest, model, grant_id, payload, expires_at)
    values (${digest}, ${model}, ${grantId}, ${JSON.stringify(payload)}::jsonb, ${after(expiresInSeconds)})`.execute(
    db,
  );
}

const after = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`;

export function findRecord(db: Queries, digest: Buffer, evenExpired = false) {
  return db
    .selectFrom('oauth_records')
    .select(['payload', 'consumed_at'])
    .where('digest', '=', digest)
    .where(sql<boolean>`(${evenExpired}::boolean or expires_at > now())`)
    .executeTakeFirst();
}

/** Finds a session by its `uid`, a second id besides the one in its cookie. */
export function findSessionByUid(db: Queries, uid: string) {
  return db
    .selectFrom('oauth_records')
    .select(['payload'])
    .where('model', '=', 'Session')
    .where(sql<boolean>`payload->>'uid' = ${uid}`)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
}

/** Uses up a record. True for exactly one caller, even if several try at the same time, because of the row lock. */
export async function consumeRecord(db: Queries, digest: Buffer): Promise<boolean> {
  const consumed = await db
    .updateTable('oauth_records')
    .set({ consumed_at: sql<Date>`now()` })
    .where('digest', '=', digest)
    .where('consumed_at', 'is', null)
    .executeTakeFirst();
  return consumed.numUpdatedRows > 0n;
}

export async function grantOfRecord(db: Queries, digest: Buffer): Promise<string | null> {
  const row = await db.selectFrom('oauth_records').select('grant_id').where('digest', '=', digest).executeTakeFirst();
  return row?.grant_id ?? null;
}

export async function deleteRecord(db: Queries, digest: Buffer): Promise<void> {
  await db.deleteFrom('oauth_records').where('digest', '=', digest).execute();
}

export async function deleteRecordsOfGrant(db: Queries, grantId: string): Promise<void> {
  await db.deleteFrom('oauth_records').where('grant_id', '=', grantId).execute();
}

/** Deletes expired records and grants. A grant whose records have all expired can no longer issue anything. */
export async function deleteExpiredOauth(db: Db): Promise<void> {
  await cleanRows(db, { table: 'oauth_records', by: 'expires_at', where: sql`gone.expires_at < now()` });
  await cleanRows(db, {
    table: 'oauth_records',
    by: 'grant_id',
    where: sql`gone.grant_id is not null and not exists (select from oauth_grants as g where g.id = gone.grant_id)`,
  });
  const issuesNothing = sql`gone.created_at < now() - interval '1 day'
    and not exists (select from oauth_records as r where r.grant_id = gone.id)`;
  await cleanRows(db, { table: 'oauth_grants', by: 'id', where: sql`(gone.expires_at < now() or (${issuesNothing}))` });
  // Such a row is deleted only after a day, because it is written before the consent that is being given.
  const isNobodys = sql`gone.document_url is not null and gone.updated_at < now() - interval '1 day'
    and not exists (select from oauth_consents as c where c.app_id = gone.id)`;
  await cleanRows(db, { table: 'oauth_apps', by: 'id', where: isNobodys });
  await cleanRows(db, { table: 'oauth_app_secrets', by: 'app_id', where: sql`gone.expires_at < now()` });
}
