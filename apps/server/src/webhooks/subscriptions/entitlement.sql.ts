import { type RawBuilder, sql } from 'kysely';

/**
 * Whether the app that created a webhook may still act for its user: the grant has neither been revoked nor expired.
 */
export const grantHolds = (grant: string): RawBuilder<boolean> =>
  sql`exists (select from oauth_grants as g where g.id = ${sql.raw(grant)} and g.expires_at > now())`;

/** The account's own deletion, the only event that is still sent after the account is closed. */
export const isAccountDeletion = (event: string, owner: string): RawBuilder<boolean> =>
  sql`(${sql.raw(event)}.type = 'user.deleted' and ${sql.raw(event)}.account_id = ${sql.raw(owner)})`;
