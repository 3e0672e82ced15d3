import type { Scope } from '@bottega/contract';
import { sql } from 'kysely';
import { type Queries, type Trx, violatesForeignKey } from '../../foundation/db/index.ts';
import { conflict } from '../../foundation/http/index.ts';

export type Consent = { userId: string; appId: string; scopes: Scope[] };

export function listConsents(db: Queries, userId: string) {
  return db
    .selectFrom('oauth_consents as c')
    .innerJoin('oauth_apps as a', 'a.id', 'c.app_id')
    .select(['a.id', 'a.name', 'c.scopes', 'c.created_at', 'c.last_used_at'])
    .where('c.user_id', '=', userId)
    .orderBy('c.created_at', 'desc')
    .orderBy('a.id')
    .execute();
}

/** The scopes that a user has allowed. Empty if nothing was ever allowed. */
export async function allowedScopes(db: Queries, userId: string, appId: string): Promise<Scope[]> {
  const consent = await db
    .selectFrom('oauth_consents')
    .select('scopes')
    .where('user_id', '=', userId)
    .where('app_id', '=', appId)
    .executeTakeFirst();
  return (consent?.scopes ?? []) as Scope[];
}

/** Stores a consent. The new scopes are added to those that were allowed before. */
export async function rememberConsent(trx: Trx, { userId, appId, scopes }: Consent): Promise<void> {
  const remembered = trx
    .insertInto('oauth_consents')
    .values({ user_id: userId, app_id: appId, scopes })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'app_id']).doUpdateSet({
        scopes: sql<string[]>`array(select distinct unnest(oauth_consents.scopes || excluded.scopes) order by 1)`,
        updated_at: sql<Date>`now()`,
      }),
    )
    .execute();
  await remembered.catch((error: unknown) => {
    throw violatesForeignKey(error) ? conflict('This app was deleted') : error;
  });
}

/**
 * Deletes a consent. The foreign key deletes its grants. Tokens that were issued under them are useless without them,
 * and are deleted too.
 */
export async function deleteConsent(trx: Trx, userId: string, appId: string): Promise<boolean> {
  await sql`
    delete from oauth_records using oauth_grants as g
    where g.id = oauth_records.grant_id and g.user_id = ${userId} and g.app_id = ${appId}`.execute(trx);
  const deleted = await trx
    .deleteFrom('oauth_consents')
    .where('user_id', '=', userId)
    .where('app_id', '=', appId)
    .executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}
