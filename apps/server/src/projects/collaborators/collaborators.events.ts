import type { AuditAction } from '@bottega/contract';
import { appendEvent, appendEvents, type NewEvent } from '../../events/index.ts';
import type { Trx } from '../../foundation/db/index.ts';
import type { Cause } from '../../foundation/http/index.ts';
import { recordAudit } from '../../identity/audit/index.ts';
import { notify } from '../../notifications/index.ts';
import type { WritableProject } from '../index.ts';
import { type CollaboratorRow, hasPlainReaders } from './collaborators.sql.ts';

/** Objects that describe a person have name, email and username, as everywhere in the catalogue. */
type Person = { name: string; email: string; username: string };
const person = ({ name, email, username }: Person): Person => ({ name, email, username });

const member = (row: CollaboratorRow) => ({
  id: row.user_id,
  name: row.user_name,
  email: row.user_email ?? row.email,
  username: row.user_username,
});

type About = { project: WritableProject; row: CollaboratorRow; cause: Cause };

/**
 * Appends the events about an invitation. As in the list of collaborators, only people who manage the project see who
 * was invited. Others get a separate event, without the address and the message. The link in the events contains the
 * invitation's id and not its token. Events are stored and go to the webhooks of all collaborators, even viewers. With
 * the token, any of them could accept an invitation that is meant for somebody else. The id opens the same page, for
 * the invitee only.
 */
export async function tellInvited(trx: Trx, { project, row, cause }: About, publicUrl: string): Promise<void> {
  const data = {
    invitation_id: row.id,
    project_id: project.id,
    project_name: project.name,
    inviter: person(project.actor),
    invitee: { email: row.email, name: null },
    role: row.role,
    permissions: row.permissions,
    message: row.message,
    expires_at: row.expires_at?.toISOString() ?? null,
    invitation_url: `${publicUrl}/invitations/${row.id}`,
  };
  const event = { ...about(project), type: 'collaboration.invited' as const };
  const told: NewEvent[] = (await hasPlainReaders(trx, project.id))
    ? [
        { ...event, data, forManagers: true },
        { ...event, data: { ...data, invitee: { email: null, name: null }, message: null }, forManagers: false },
      ]
    : [{ ...event, data, forManagers: true }];
  await appendEvents(trx, told, cause);
  const notice = { type: 'invitation', data: { invitation_id: row.id, role: row.role } } as const;
  await notify(trx, { ...notice, to: [row.user_id], projectId: project.id, actorId: project.actor.id }, cause);
  await noteInAudit(trx, 'collaborator.invited', { project, row, cause });
}

const membership = ({ project, row }: Omit<About, 'cause'>) => ({
  invitation_id: row.id,
  project_id: project.id,
  project_name: project.name,
  collaborator: member(row),
  role: row.role,
  permissions: row.permissions,
});

/**
 * Appends the event about joining. Events about joining and leaving come in pairs, so counting them shows who
 * collaborates.
 */
export async function tellJoined(trx: Trx, { project, row, cause }: About): Promise<void> {
  const data = { ...membership({ project, row }), joined_at: row.joined_at?.toISOString() ?? null };
  await appendEvent(trx, { ...about(project), type: 'collaboration.joined', data }, cause);
  await noteInAudit(trx, 'collaborator.joined', { project, row, cause });
}

export type LeaveReason = 'left' | 'removed' | 'became_owner';

/** Appends the event about leaving. A declined or revoked invitation causes none, because nobody has joined. */
export async function tellLeft(trx: Trx, { project, row, cause }: About, reason: LeaveReason): Promise<void> {
  const data = {
    ...membership({ project, row }),
    reason,
    removed_by: reason === 'removed' ? person(project.actor) : null,
    left_at: new Date().toISOString(),
  };
  await appendEvent(trx, { ...about(project), type: 'collaboration.left', data }, cause);
  await noteInAudit(trx, 'collaborator.removed', { project, row, cause });
}

const about = (project: WritableProject) => ({ accountId: project.owner_id, projectId: project.id });

/** Records in the audit log of the project's owner who joined, with which rights, and who left. */
export async function noteInAudit(trx: Trx, action: AuditAction, { project, row, cause }: About): Promise<void> {
  const { role, permissions, email, status } = row;
  const user_id = status === 'active' ? row.user_id : null;
  const details = { project_id: project.id, user_id, email, role, permissions };
  await recordAudit(trx, { action, accountId: project.owner_id, subjectId: row.id, details }, cause);
}
