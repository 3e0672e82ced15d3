import { sql } from 'kysely';
import { type Queries, violatesForeignKey } from '../../foundation/db/index.ts';

export type NewGrant = { id: string; userId: string; appId: string; scopes: string[]; expiresInSeconds: number };

/** Inserts a grant. Returns false if there is no consent any more, because it has just been revoked. */
export async function insertGrant(db: Queries, grant: NewGrant): Promise<boolean> {
  const inserted = db
    .insertInto('oauth_grants')
    .values({
      id: grant.id,
      user_id: grant.userId,
      app_id: grant.appId,
      scopes: grant.scopes,
      expires_at: sql<Date>`now() + make_interval(secs => ${grant.expiresInSeconds})`,
    })
    .execute();
  return inserted.then(
    () => true,
    (error: unknown) => {
      if (violatesForeignKey(error)) return false;
      throw error;
    },
  );
}

export function findGrant(db: Queries, id: string) {
  return db
    .selectFrom('oauth_grants as g')
    .innerJoin('oauth_apps as a', 'a.id', 'g.app_id')
    .select(['g.id', 'g.user_id', 'g.scopes', 'g.created_at', 'g.expires_at'])
    .select(sql<string>`coalesce(a.document_url, a.id)`.as('client_id'))
    .where('g.id', '=', id)
    .where('g.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
}

/** Deletes a grant and returns it. Of several concurrent callers, only one gets it. */
export function deleteGrant(db: Queries, id: string) {
  return db.deleteFrom('oauth_grants').where('id', '=', id).returning(['id', 'user_id', 'app_id']).executeTakeFirst();
}

/** Finds an access token with its user. A token whose grant was deleted is not found. */
export function findAccessToken(db: Queries, digest: Buffer) {
  return db
    .selectFrom('oauth_records as r')
    .innerJoin('oauth_grants as g', 'g.id', 'r.grant_id')
    .innerJoin('users as u', 'u.id', 'g.user_id')
    .innerJoin('oauth_apps as a', 'a.id', 'g.app_id')
    .select([
      'g.id as grant_id',
      'g.user_id',
      'a.id as app_id',
      'a.name as app_name',
      'u.plan',
      'u.suspended_at',
      'r.expires_at',
    ])
    .select(sql<string | null>`r.payload->>'scope'`.as('scope'))
    .select(sql<string | null>`r.payload->>'aud'`.as('audience'))
    .where('r.digest', '=', digest)
    .where('r.model', '=', 'AccessToken')
    .where('r.expires_at', '>', sql<Date>`now()`)
    .where('g.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
}

/** Returns those of the digests, in hex, whose token is still valid. */
export async function heldAccessTokens(db: Queries, digests: string[]): Promise<string[]> {
  const { rows } = await sql<{ digest: string }>`
    select encode(r.digest, 'hex') as digest
    from oauth_records r join oauth_grants g on g.id = r.grant_id
    where r.digest = any(select decode(digest, 'hex') from unnest(${digests}::text[]) as digest)
      and r.model = 'AccessToken' and r.expires_at > now() and g.expires_at > now()`.execute(db);
  return rows.map(({ digest }) => digest);
}
