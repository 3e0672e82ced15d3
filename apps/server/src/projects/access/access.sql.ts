import type { Permission } from '@bottega/contract';
import { type RawBuilder, sql } from 'kysely';

/**
 * A user's permissions in a project as its collaborator. Null if the user is not a collaborator, or has not accepted
 * yet. For any query that contains `projects p`. `access.policy.ts` decides the rights from these permissions and the
 * project's owner.
 */
const permissionsOf = `(
  select c.permissions from collaborators c where c.project_id = p.id and c.status = 'active' and c.user_id = `;

/** The permissions as an expression. `user` is an id or an expression of the query. */
export const projectAccess = (user: string | RawBuilder<unknown>): RawBuilder<Permission[] | null> =>
  sql`${sql.raw(permissionsOf)}${user})`;

/** The same decision as `mustSee`. */
export const isReadableBy = (user: string | RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(p.owner_id = ${user} or p.public or 'read' = any(coalesce(${projectAccess(user)}, '{}')))`;

/** The permissions for a statement that is written as text. `user` is a parameter such as `$3`, or a column. */
export const projectAccessText = (user: string): string => `${permissionsOf}${user})`;

/** The columns that `mustSee` and similar functions need. For the owner, the collaborators are not read. */
export const accessColumns = (user: string): string => `p.owner_id, p.public, p.status,
      case when p.owner_id <> ${user} then ${projectAccessText(user)} end as my_permissions`;

type Expression = RawBuilder<unknown>;

/**
 * Whether a user has a permission in a project. Both parameters are expressions of the query. That the project is
 * public does not count.
 */
const holds =
  (permission: Permission) =>
  (project: Expression, user: Expression): RawBuilder<boolean> =>
    sql`(
    exists (select from projects as own where own.id = ${project} and own.owner_id = ${user})
    or exists (
      select from collaborators as member where member.project_id = ${project} and member.user_id = ${user}
        and member.status = 'active' and ${sql.lit(permission)} = any(member.permissions)
    ))`;

/** The same decision as `isMember`. */
export const isMemberOf = holds('read');
export const mayWrite = holds('write');
export const managesProject = holds('manage');

/** All members of a project, as rows of `user_id`. */
export const membersOf = (project: Expression): RawBuilder<unknown> => sql`
  select owner_id as user_id from projects where id = ${project}
  union
  select user_id from collaborators
  where project_id = ${project} and status = 'active' and user_id is not null and 'read' = any(permissions)`;

/** The projects of other owners in which the user has the permission, as rows of `project_id`. */
export const sharedProjects = (user: Expression, permission: Permission): RawBuilder<unknown> => sql`
  select c.project_id from collaborators c join projects p on p.id = c.project_id
  where c.user_id = ${user} and c.status = 'active' and ${sql.lit(permission)} = any(c.permissions)
    and p.deleted_at is null and p.owner_id <> ${user}`;

/** Whether the user was invited and can still respond. */
export const isInvited = (project: Expression, user: Expression): RawBuilder<boolean> => sql`exists (
  select from collaborators as asked where asked.project_id = ${project} and asked.user_id = ${user}
    and asked.status = 'pending' and (asked.expires_at is null or asked.expires_at > now()))`;
