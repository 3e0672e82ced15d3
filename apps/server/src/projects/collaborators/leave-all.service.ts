import type { Db } from '../../foundation/db/index.ts';
import { AppError, type Cause } from '../../foundation/http/index.ts';
import { removeCollaborator } from './collaborators.service.ts';
import { listMemberships } from './collaborators.sql.ts';

/**
 * Removes a deleted account from all projects of others, like any collaborator who leaves. So the same events are
 * appended, and numbers of members that are counted from them stay right.
 */
export async function leaveAllProjects(db: Db, userId: string, cause: Cause): Promise<void> {
  for (const { id, project_id } of await listMemberships(db, userId)) {
    const place = { projectId: project_id, collaboratorId: id };
    await removeCollaborator(db, { userId }, place, cause).catch((error: unknown) => {
      // The project was archived or deleted meanwhile. Nobody can act there, and the row is deleted with the account.
      if (!(error instanceof AppError)) throw error;
    });
  }
}
