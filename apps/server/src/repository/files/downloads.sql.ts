import type { Queries } from '../../foundation/db/index.ts';

/** The project and the actor of a download. The actor is null for a share link. */
export async function findDownload(db: Queries, projectId: string, actorId: string | null) {
  const project = await db
    .selectFrom('projects')
    .select(['name', 'owner_id'])
    .where('id', '=', projectId)
    .executeTakeFirst();
  const actor = await db
    .selectFrom('users')
    .select(['name', 'email', 'username'])
    .where('id', '=', actorId ?? '')
    .executeTakeFirst();
  return project && { project, actor: actor ?? null };
}
