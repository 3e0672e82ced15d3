import type { Collaborator, PatchCollaborator } from '@bottega/contract';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { type Cause, notFound, type Principal } from '../../foundation/http/index.ts';
import { isId } from '../../foundation/ids.ts';
import { isMember, mustBeActive, mustHave, mustSee, permissionsOf } from '../access/index.ts';
import {
  lockKnownProject,
  lockManageableProject,
  readableProject,
  unlistProjectFor,
  type WritableProject,
} from '../index.ts';
import { noteInAudit, tellLeft } from './collaborators.events.ts';
import { mustBeAbleToGrant, mustBeWithinReach, rightsOf } from './collaborators.policy.ts';
import * as rows from './collaborators.sql.ts';
import { asCollaborator, asCollaboratorForOutsider } from './collaborators.view.ts';
import type { Place } from './place.ts';

/** Lists collaborators. Only people who manage the project see invitations and their addresses. */
export async function listCollaborators(
  db: Db,
  { userId }: Principal,
  projectId: string,
  publicUrl: string,
): Promise<Collaborator[]> {
  const project = await readableProject(db, projectId, userId);
  const seesAll = permissionsOf(project, userId).includes('manage');
  const all = await rows.listCollaborators(db, project.id);
  const shown = isMember(project, userId) ? asCollaborator : asCollaboratorForOutsider;
  return all.filter(({ status }) => seesAll || status === 'active').map((row) => shown(row, publicUrl));
}

export async function changeCollaborator(
  db: Db,
  { userId }: Principal,
  { projectId, collaboratorId }: Place,
  { patch, publicUrl, cause }: { patch: PatchCollaborator; publicUrl: string; cause: Cause },
): Promise<Collaborator> {
  return transaction(db, async (trx) => {
    const project = await lockManageableProject(trx, projectId, userId);
    const row = await mustFind(trx, project, collaboratorId);
    mustBeWithinReach(project, userId, row);
    const keepsPermissions = patch.role === undefined && patch.permissions === undefined;
    const rights = rightsOf(patch.role ?? row.role, keepsPermissions ? row.permissions : patch.permissions);
    mustBeAbleToGrant(project, userId, { before: row, after: rights });
    await rows.changeRights(trx, row.id, rights);
    await noteInAudit(trx, 'collaborator.changed', { project, row: { ...row, ...rights }, cause });
    return asCollaborator({ ...row, ...rights }, publicUrl);
  });
}

/** Removes a collaborator or an invitation. A collaborator who removes themselves leaves the project. */
export async function removeCollaborator(
  db: Db,
  { userId }: Pick<Principal, 'userId'>,
  { projectId, collaboratorId }: Place,
  cause: Cause,
): Promise<void> {
  await transaction(db, async (trx) => {
    const project = mustSee(await lockKnownProject(trx, projectId, userId), userId);
    const row = await find(trx, project, collaboratorId);
    const leaves = row?.user_id === userId && row.status === 'active';
    if (!leaves) mustHave(project, userId, 'manage');
    mustBeActive(project);
    if (!row) throw notFound('Collaborator');
    if (!leaves) mustBeWithinReach(project, userId, row);
    await rows.deleteCollaborator(trx, row.id);
    if (row.status !== 'active' || row.user_id === null) return;
    await unlistProjectFor(trx, project.id, row.user_id);
    await tellLeft(trx, { project, row, cause }, leaves ? 'left' : 'removed');
  });
}

function find(trx: Trx, project: WritableProject, id: string): Promise<rows.CollaboratorRow | undefined> {
  return isId('col', id) ? rows.findCollaborator(trx, project.id, id) : Promise.resolve(undefined);
}

/** Finds a collaborator. The project's row is locked, so nobody else changes it meanwhile. */
export async function mustFind(trx: Trx, project: WritableProject, id: string): Promise<rows.CollaboratorRow> {
  const row = await find(trx, project, id);
  if (!row) throw notFound('Collaborator');
  return row;
}
