import type { JoinedSession, Participant, SessionPreview, UpdateParticipant } from '@bottega/contract';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { type Cause, conflict, forbidden, invalid, notFound, type Principal } from '../../foundation/http/index.ts';
import { checkEach, checkFields, type FieldChecks } from '../../foundation/http/request/field-checks.ts';
import { isId } from '../../foundation/ids.ts';
import { isInvite } from './invite-link.ts';
import { putParticipant, setParticipantRights, setParticipantStatus } from './participants.sql.ts';
import {
  invalidSession,
  isOfProject,
  manages,
  mayBeGivenWrite,
  mustBeAdmin,
  mustBeGoingOn,
  mustNotBeRemoved,
  personOf,
  rightsOf,
  type SessionRights,
} from './sessions.policy.ts';
import { lockKnown, lockOpen, mustFind, mustFindOpen, noteInAudit, type SessionSettings } from './sessions.service.ts';
import { announceSessionChange, findToPreview, type ParticipantRow, type SessionRow } from './sessions.sql.ts';
import { asJoined, asParticipant, presentIn } from './sessions.view.ts';
import { issueTicket, wsUrlOf } from './tickets.service.ts';

type Joining = { id: string; inviteToken: string | undefined; max: number; cause: Cause };

/** Joins a session by a request. A user who may read the project also joins automatically by opening a socket. */
export async function joinSession(
  db: Db,
  principal: Principal,
  { id, inviteToken }: { id: string; inviteToken: string | undefined },
  { settings, cause }: { settings: SessionSettings; cause: Cause },
): Promise<JoinedSession> {
  return transaction(db, async (trx) => {
    const session = await join(trx, principal, { id, inviteToken, max: settings.participants, cause });
    const { ticket } = await issueTicket(trx, principal, session.id);
    return asJoined(session, principal.userId, wsUrlOf(settings.publicUrl(), session.id, ticket));
  });
}

/**
 * What a visitor without an account sees of a session, if the link is right. A wrong link reveals nothing, not even
 * that a session exists.
 */
export async function previewSession(db: Db, id: string, inviteToken: string): Promise<SessionPreview> {
  const session = isId('ses', id) ? await findToPreview(db, id) : undefined;
  if (!session || !isInvite(inviteToken, session.invite_digest)) throw invalidSession();
  return { name: session.name, project: { name: session.project_name }, host: { name: session.host_name } };
}

/** Joins a session. Locks its row, so that two users cannot take the last free place. */
export async function join(
  trx: Trx,
  { userId }: Principal,
  { id, inviteToken, max, cause }: Joining,
): Promise<SessionRow> {
  const session = await lockKnown(trx, id, userId);
  if (!session) throw invalidSession();
  const person = personOf(session, userId);
  const hasLink = isInvite(inviteToken, session.invite_digest);
  // In somebody else's public project, a user with the link has more rights than a reader.
  const isGuest = !isOfProject(session, person) && (hasLink || (person.participant?.is_guest ?? false));
  const comesBy = hasLink ? { ...person, is_guest: isGuest } : person;
  if (!rightsOf(session, comesBy).read) throw invalidSession();
  mustBeGoingOn(session);
  mustNotBeRemoved(session, userId);
  const { participant } = person;
  // This also runs for every further socket of the user. In this case, nothing changes, and no node has to be notified.
  if (participant?.status === 'joined' && participant.is_guest === isGuest) return session;
  if (participant?.status !== 'joined') {
    if (presentIn(session).length >= max) throw conflict(`The session is full: it has ${max} participants`);
    if (isGuest) await noteInAudit(trx, 'session.guest_joined', session, cause, { user_id: userId });
  }
  const { may_write: mayWrite, may_admin: mayAdmin } = session;
  await putParticipant(trx, { sessionId: id, userId, isGuest, mayWrite, mayAdmin });
  await announceSessionChange(trx, id);
  return mustFind(trx, id, userId);
}

/** Leaves a session. Succeeds even if the user is not in the session. */
export async function leaveSession(db: Db, { userId }: Principal, id: string): Promise<void> {
  await transaction(db, async (trx) => {
    const session = await lockOpen(trx, id, userId);
    if (personOf(session, userId).participant?.status !== 'joined') return;
    await setParticipantStatus(trx, { sessionId: id, userId, status: 'left' });
    await announceSessionChange(trx, id);
  });
}

/** Lists participants. Admins also see removed participants, whom they may let in again. */
export async function listParticipants(db: Db, { userId }: Principal, id: string): Promise<Participant[]> {
  const session = await mustFindOpen(db, id, userId);
  const { admin } = rightsOf(session, personOf(session, userId));
  const removed = admin ? session.participants.filter(({ status }) => status === 'removed') : [];
  return [...presentIn(session), ...removed].map((row) => asParticipant(session, row));
}

type Place = { id: string; userId: string };

export async function removeParticipant(
  db: Db,
  principal: Principal,
  { id, userId }: Place,
  cause: Cause,
): Promise<void> {
  if (userId === principal.userId) return leaveSession(db, principal, id);
  await transaction(db, async (trx) => {
    const session = await lockOpen(trx, id, principal.userId);
    const row = mustBeWithinReach(session, principal.userId, userId);
    await setParticipantStatus(trx, { sessionId: id, userId: row.user_id, status: 'removed' });
    await noteInAudit(trx, 'session.participant_removed', session, cause, { user_id: userId });
    await announceSessionChange(trx, id);
  });
}

/**
 * Changes the rights of a participant. If they have left, the rights apply when they return. If they were removed, they
 * may return.
 */
export async function changeParticipant(
  db: Db,
  principal: Principal,
  { id, userId }: Place,
  { wanted, cause }: { wanted: UpdateParticipant; cause: Cause },
): Promise<Participant> {
  return transaction(db, async (trx) => {
    const session = await lockOpen(trx, id, principal.userId);
    const row = mustBeWithinReach(session, principal.userId, userId);
    const actor = rightsOf(session, personOf(session, principal.userId));
    await checkFields(wanted, participantChecks);
    const rights = rightsAfter(row, wanted, actor);
    if (wanted.permissions?.write === true && !rightsOf(session, row).write) mustBeAbleToGiveWrite(session, actor, row);
    await setParticipantRights(trx, { sessionId: id, userId: row.user_id }, rights);
    if (row.status === 'removed') await setParticipantStatus(trx, { sessionId: id, userId, status: 'left' });
    await noteInAudit(trx, 'session.participant_changed', session, cause, { user_id: userId, ...rights });
    await announceSessionChange(trx, id);
    const after = await mustFind(trx, id, principal.userId);
    return asParticipant(after, { ...row, ...rights, status: row.status === 'removed' ? 'left' : row.status });
  });
}

export const participantChecks: FieldChecks<UpdateParticipant> = {
  async permissions(permissions, { role }) {
    const isOther = role !== undefined && permissions.admin === (role !== 'admin');
    await checkEach(Object.keys(permissions), (name) => {
      const field = `permissions.${name}`;
      if (name === 'read' && permissions.read === false)
        throw invalid(field, 'must be true; to revoke access, remove the participant');
      if (name === 'admin' && isOther) throw invalid(field, 'must be true for an admin and false for a collaborator');
    });
  },
};

/**
 * Throws if the actor may not change another participant. Admins may change others, but not a user who manages the
 * project. Only a user who manages the project may change the creator.
 */
function mustBeWithinReach(session: SessionRow, actorId: string, userId: string): ParticipantRow {
  mustBeAdmin(session, actorId);
  const row = session.participants.find(({ user_id }) => user_id === userId);
  if (!row) throw notFound('Participant');
  if (manages(session, row)) throw forbidden('Users who manage the project are always admins of its sessions');
  const actorManages = manages(session, personOf(session, actorId));
  if (row.user_id === session.creator_id && !actorManages && actorId !== userId) {
    throw forbidden('Only users who manage the project can change or remove the creator of the session');
  }
  return row;
}

/**
 * A role stands for permissions. An admin gets all permissions of the user who assigns the role. A collaborator gets
 * all of them except admin.
 */
function rightsAfter(
  row: ParticipantRow,
  { role, permissions = {} }: UpdateParticipant,
  actor: SessionRights,
): { may_write: boolean; may_admin: boolean } {
  const becomesAdmin = role === 'admin' || permissions.admin === true;
  return {
    may_admin: permissions.admin ?? (role === undefined ? row.may_admin : role === 'admin'),
    may_write: permissions.write ?? (row.may_write || (becomesAdmin && actor.write)),
  };
}

function mustBeAbleToGiveWrite(session: SessionRow, actor: SessionRights, row: ParticipantRow): void {
  if (!actor.write) throw forbidden('You cannot grant the permission to write, because you do not have it');
  if (!mayBeGivenWrite(session, row)) throw forbidden('This user does not have permission to write in this project');
}
