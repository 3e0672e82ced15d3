import { type RawBuilder, sql } from 'kysely';

/** The app that made a webhook still acts for its user: its authorization has neither ended nor run out. */
export const grantHolds = (grant: string): RawBuilder<boolean> =>
  sql`exists (select from oauth_grants as g where g.id = ${sql.raw(grant)} and g.expires_at > now())`;

/** Whoever may read a project, as rows of `user_id`. */
export const readersOf = (project: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select owner_id as user_id from projects where id = ${project}
  union
  select user_id from collaborators
  where project_id = ${project} and status = 'active' and user_id is not null and 'read' = any(permissions)`;

/** Whoever manages a project sees whom others invited to it. */
export const managesProject = (project: string, user: string): RawBuilder<boolean> => sql`(
  exists (select from projects as p where p.id = ${sql.raw(project)} and p.owner_id = ${sql.raw(user)})
  or exists (
    select from collaborators as m where m.project_id = ${sql.raw(project)} and m.user_id = ${sql.raw(user)}
      and m.status = 'active' and 'manage' = any(m.permissions)
  ))`;

/** The last that an account is told: that it was deleted, by when it is shut for everything else. */
export const isFarewell = (event: string, owner: string): RawBuilder<boolean> =>
  sql`(${sql.raw(event)}.type = 'user.deleted' and ${sql.raw(event)}.account_id = ${sql.raw(owner)})`;
