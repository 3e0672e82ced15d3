import { sql } from 'kysely';
import { allRows, type Queries } from '../../foundation/db/index.ts';
import { managesProject, mayWrite, membersOf } from '../../projects/access/index.ts';

export type MemberRow = {
  id: string;
  name: string;
  username: string;
  email: string;
  may_write: boolean;
  may_manage: boolean;
};

/** The present members of a project. Suspended accounts are left out, so their reviews do not count. */
export function listMembers(db: Queries, projectId: string): Promise<MemberRow[]> {
  const project = sql`${projectId}`;
  return allRows<MemberRow>(db)`
    select u.id, u.name, u.username, u.email, ${mayWrite(project, sql`u.id`)} as may_write,
      ${managesProject(project, sql`u.id`)} as may_manage
    from users u where u.suspended_at is null and u.id in (${membersOf(project)}) order by u.id`;
}
