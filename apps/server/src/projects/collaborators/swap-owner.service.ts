import { permissionsOfRole } from '@bottega/contract';
import type { Trx } from '../../foundation/db/index.ts';
import type { Cause } from '../../foundation/http/index.ts';
import { newId } from '../../foundation/ids.ts';
import type { WritableProject } from '../index.ts';
import { tellJoined, tellLeft } from './collaborators.events.ts';
import { mustFind } from './collaborators.service.ts';
import { deleteCollaborator, findPerson, insertMember } from './collaborators.sql.ts';

/**
 * Changes the collaborators after a transfer was accepted. `before` is the project as it was, and its actor is the new
 * owner. An owner is not a collaborator of their own project. So the new owner's row is deleted, even if it is an
 * invitation, and the old owner gets a row as an admin. The projects slice updates the listings of both.
 */
export async function swapOwner(trx: Trx, before: WritableProject, cause: Cause): Promise<void> {
  const { actor } = before;
  const project: WritableProject = {
    ...before,
    owner_id: actor.id,
    owner_name: actor.name,
    owner_email: actor.email,
    owner_username: actor.username,
  };
  for (const person of [
    { userId: actor.id, email: actor.email },
    { userId: before.owner_id, email: before.owner_email },
  ]) {
    for (const row of await findPerson(trx, project.id, person)) {
      await deleteCollaborator(trx, row.id);
      if (row.status === 'active') await tellLeft(trx, { project, row, cause }, 'became_owner');
    }
  }
  const id = newId('col');
  await insertMember(trx, {
    id,
    project_id: project.id,
    user_id: before.owner_id,
    email: before.owner_email,
    role: 'admin',
    permissions: [...permissionsOfRole.admin],
  });
  await tellJoined(trx, { project, row: await mustFind(trx, project, id), cause });
}
