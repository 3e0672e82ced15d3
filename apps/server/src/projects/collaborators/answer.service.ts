import type { Collaborator, Invitation, InvitationPreview } from '@bottega/contract';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { type Cause, conflict, forbidden, notFound, type Principal } from '../../foundation/http/index.ts';
import { isId } from '../../foundation/ids.ts';
import { holdAccount, holdAccountByAddress, provenAddress } from '../../identity/users/index.ts';
import { mustBeActive, mustSee } from '../access/index.ts';
import { listProjectFor, lockKnownProject, type WritableProject } from '../index.ts';
import { tellJoined } from './collaborators.events.ts';
import { mustFind } from './collaborators.service.ts';
import * as rows from './collaborators.sql.ts';
import { asCollaborator, asInvitation } from './collaborators.view.ts';
import { invitationDigest } from './invitation-token.ts';
import type { Place } from './place.ts';
import * as received from './received.sql.ts';

/**
 * An invitation belongs to the invited account. If the address has no account, it belongs to the holder of the link,
 * because people often register with another address than the one that was invited. It can be answered until it
 * expires.
 */

export async function listInvitations(db: Db, { userId }: Principal, publicUrl: string): Promise<Invitation[]> {
  const recipient = { userId, address: await provenAddress(db, userId) };
  return (await received.listReceived(db, recipient)).map((row) => asInvitation(row, publicUrl));
}

/**
 * Finds an invitation by the token of a link or, for the invitee alone, by the invitation's id, which events contain.
 */
export async function readInvitation(
  db: Db,
  { userId }: Principal,
  tokenOrId: string,
  publicUrl: string,
): Promise<Invitation> {
  const digest = invitationDigest(tokenOrId);
  const row = digest
    ? await received.findReceivedByToken(db, digest)
    : isId('col', tokenOrId)
      ? await received.findReceived(db, { userId, address: await provenAddress(db, userId) }, tokenOrId)
      : undefined;
  if (!row) throw notFound('Invitation');
  return asInvitation(row, publicUrl);
}

/** Shows an invitation to a visitor with its link. The id is not enough, because it is not a secret. */
export async function previewInvitation(db: Db, token: string): Promise<InvitationPreview> {
  const digest = invitationDigest(token);
  const row = digest ? await received.findReceivedByToken(db, digest) : undefined;
  if (!row) throw notFound('Invitation');
  const inviter = row.inviter_name === null ? null : { name: row.inviter_name };
  return { project: { name: row.project_name }, inviter, role: row.role, status: row.status };
}

/** How the invitation was found: among the collaborators of a project, or by a link. */
export type Found = Place | { tokenOrId: string };
export type Answering = { publicUrl: string; cause: Cause };

export async function acceptInvitation(
  db: Db,
  { userId }: Principal,
  found: Found,
  { publicUrl, cause }: Answering,
): Promise<Collaborator> {
  return transaction(db, async (trx) => {
    const { project, row } = await mustBeInvited(trx, userId, found);
    await mustBeNew(trx, project, row);
    const account = await holdAccount(trx, userId);
    if (!account) throw notFound('User');
    await rows.activate(trx, row.id, account);
    await listProjectFor(trx, project, { userId, owned: false });
    const joined = await mustFind(trx, project, row.id);
    await tellJoined(trx, { project, row: joined, cause });
    return asCollaborator(joined, publicUrl);
  });
}

/** Deletes the invitation, so that the user can be invited again. */
export async function declineInvitation(db: Db, { userId }: Principal, found: Found): Promise<void> {
  await transaction(db, async (trx) => {
    const { row } = await mustBeInvited(trx, userId, found);
    await rows.deleteCollaborator(trx, row.id);
  });
}

type Invited = { project: WritableProject; row: rows.CollaboratorRow };

async function mustBeInvited(trx: Trx, userId: string, found: Found): Promise<Invited> {
  const invited = 'tokenOrId' in found ? await byLink(trx, userId, found.tokenOrId) : await byPlace(trx, userId, found);
  mustBeActive(invited.project);
  if (invited.row.status === 'active') throw conflict('The invitation was already accepted');
  if (invited.row.status === 'expired') throw conflict('The invitation has expired; ask for a new one');
  return invited;
}

/**
 * Finds an invitation by its place. If the invitation belongs to somebody else, a caller who can see the project learns
 * that, and for others the project does not exist.
 */
async function byPlace(trx: Trx, userId: string, { projectId, collaboratorId }: Place): Promise<Invited> {
  const project = await lockKnownProject(trx, projectId, userId);
  const row =
    project && isId('col', collaboratorId) ? await rows.findCollaborator(trx, projectId, collaboratorId) : undefined;
  if (project && row && (await isFor(trx, userId, row))) return { project, row };
  mustSee(project, userId);
  throw row ? forbidden('Only the invitee can respond to an invitation') : notFound('Collaborator');
}

async function byLink(trx: Trx, userId: string, tokenOrId: string): Promise<Invited> {
  const digest = invitationDigest(tokenOrId);
  const place = digest
    ? await rows.findByToken(trx, digest)
    : isId('col', tokenOrId)
      ? await received.findReceived(trx, { userId, address: await provenAddress(trx, userId) }, tokenOrId)
      : undefined;
  const project = place && (await lockKnownProject(trx, place.project_id, userId));
  // The invitation is read again now that the project is locked, because another request may have used the link
  // meanwhile.
  const row = project && (digest ? await rows.findByToken(trx, digest) : await mustFind(trx, project, place.id));
  if (!project || !row) throw notFound('Invitation');
  const owner = row.user_id ?? (await holdAccountByAddress(trx, row.email))?.id ?? userId;
  if (owner !== userId) throw forbidden('This invitation is for another account; sign in with that account');
  return { project, row };
}

async function isFor(trx: Trx, userId: string, row: rows.CollaboratorRow): Promise<boolean> {
  if (row.user_id !== null) return row.user_id === userId;
  return row.email === (await provenAddress(trx, userId));
}

/** Throws if the user is already a member. A member may have followed another link to the same project. */
async function mustBeNew(trx: Trx, project: WritableProject, row: rows.CollaboratorRow): Promise<void> {
  const { id: userId, email } = project.actor;
  if (project.owner_id === userId) throw conflict('You own this project');
  const others = (await rows.findPerson(trx, project.id, { userId, email })).filter(({ id }) => id !== row.id);
  if (others.length > 0) throw conflict('You already collaborate on this project, or have another invitation to it');
}
