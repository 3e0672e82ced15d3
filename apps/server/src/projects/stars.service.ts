import { maxStars, type Stars } from '@bottega/contract';
import { type Db, transaction } from '../foundation/db/index.ts';
import { conflict, type Principal } from '../foundation/http/index.ts';
import { lockUser } from '../identity/users/index.ts';
import { readableProject } from './project-access.ts';
import * as rows from './stars.sql.ts';

export async function starProject(db: Db, { userId }: Principal, projectId: string): Promise<void> {
  await transaction(db, async (trx) => {
    await readableProject(trx, projectId, userId);
    // The user is locked, so that concurrent requests together cannot exceed the limit.
    await lockUser(trx, userId);
    if ((await rows.countOtherStars(trx, userId, projectId)) >= maxStars) {
      throw conflict(`You can star at most ${maxStars} projects; remove a star first`);
    }
    await rows.insertStar(trx, userId, projectId);
  });
}

/** Removes a star. Also works for a project that the user can no longer read. */
export async function unstarProject(db: Db, { userId }: Principal, projectId: string): Promise<void> {
  if (!(await rows.deleteStar(db, userId, projectId))) await readableProject(db, projectId, userId);
}

export async function listStars(db: Db, { userId }: Principal): Promise<Stars> {
  return { project_ids: (await rows.listStars(db, userId)).map(({ project_id }) => project_id) };
}
