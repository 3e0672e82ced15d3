import { sql } from 'kysely';
import { allRows, firstRow, type Queries, type Trx } from '../foundation/db/index.ts';
import { isReadableBy } from './access/index.ts';

/**
 * Selects a user's visible stars. If the user can no longer read a project, or if the project is in the trash, its star
 * stays, but is neither shown nor counted.
 */
const starred = (userId: string) => sql`
  from stars t join projects p on p.id = t.project_id
  where t.user_id = ${userId} and p.deleted_at is null and ${isReadableBy(userId)}`;

export function listStars(db: Queries, userId: string): Promise<{ project_id: string }[]> {
  return allRows<{ project_id: string }>(db)`
    select t.project_id ${starred(userId)} order by t.starred_at desc, t.project_id`;
}

export async function countOtherStars(trx: Trx, userId: string, projectId: string): Promise<number> {
  const row = await firstRow<{ others: number }>(trx)`
    select count(*)::int as others ${starred(userId)} and t.project_id <> ${projectId}`;
  return row?.others ?? 0;
}

export async function insertStar(trx: Trx, userId: string, projectId: string): Promise<void> {
  await trx
    .insertInto('stars')
    .values({ user_id: userId, project_id: projectId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes a star. False if there was none. */
export async function deleteStar(db: Queries, userId: string, projectId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('stars')
    .where('user_id', '=', userId)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
