import { type RawBuilder, sql } from 'kysely';

/** The app that made a webhook still acts for its user: its authorization has neither ended nor run out. */
export const grantHolds = (grant: string): RawBuilder<boolean> =>
  sql`exists (select from oauth_grants as g where g.id = ${sql.raw(grant)} and g.expires_at > now())`;

/** The last that an account is told: that it was deleted, by when it is shut for everything else. */
export const isFarewell = (event: string, owner: string): RawBuilder<boolean> =>
  sql`(${sql.raw(event)}.type = 'user.deleted' and ${sql.raw(event)}.account_id = ${sql.raw(owner)})`;
