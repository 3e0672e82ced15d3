import type { Permission } from '@bottega/contract';
import { type RawBuilder, sql } from 'kysely';

/**
 * What somebody may do in a project as its collaborator; null where they are none, or have not accepted yet. For any
 * query with a `projects p`. What follows from it, and from who owns the project, is said by `projects.policy.ts`.
 */
const permissionsOf = `(
  select c.permissions from collaborators c where c.project_id = p.id and c.status = 'active' and c.user_id = `;

/** The user is an id or an expression of the query. */
export const projectAccess = (user: string | RawBuilder<unknown>): RawBuilder<Permission[] | null> =>
  sql`${sql.raw(permissionsOf)}${user})`;

/** As `mustSee` decides. */
export const isReadableBy = (userId: string): RawBuilder<boolean> =>
  sql`(p.owner_id = ${userId} or p.public or 'read' = any(coalesce(${projectAccess(userId)}, '{}')))`;

/** For statements that are written out: the user is a parameter or a column, such as `$3`. */
export const projectAccessText = (user: string): string => `${permissionsOf}${user})`;

/** What `mustSee` and its siblings decide by. An owner's row among the collaborators is not looked for. */
export const accessColumns = (user: string): string => `p.owner_id, p.public, p.status,
      case when p.owner_id <> ${user} then ${projectAccessText(user)} end as my_permissions`;
