import type { Permission, SessionPermissions } from '@bottega/contract';
import { AppError, forbidden } from '../../foundation/http/index.ts';
import {
  isMember,
  isProtected as isProtectedBranch,
  permissionsOf,
  protectedBranch,
} from '../../projects/access/index.ts';
import type { ParticipantRow, SessionRow } from './sessions.sql.ts';

/**
 * A user's rights in a session are the rights that they were given there, limited by their current rights in its
 * project. A guest, who came through the link, has no rights in the project and is limited by the current rights of the
 * session's creator. A user who manages the project is an admin of all its sessions, whether they joined or not. The
 * creator is an admin of their own session while they are a member of the project. Nobody can write on a protected
 * branch.
 */

export type SessionRights = SessionPermissions & {
  comment: boolean;
  /** Whether only the branch's protection keeps the user from writing. */
  isProtected: boolean;
};

export const invalidSession = (): AppError =>
  new AppError('INVALID_SESSION', 'The session does not exist or has ended');

const none: SessionRights = { read: false, write: false, admin: false, comment: false, isProtected: false };

type Person = Pick<ParticipantRow, 'user_id' | 'is_guest' | 'may_write' | 'may_admin' | 'project_permissions'>;

const projectOf = (session: SessionRow, granted: Permission[] | null) => ({
  owner_id: session.owner_id,
  public: session.public,
  status: session.project_status,
  my_permissions: granted,
});

export const isOfProject = (session: SessionRow, { user_id, project_permissions }: Person): boolean =>
  isMember(projectOf(session, project_permissions), user_id);

/** The upper limit of a person's rights, whatever they are given. */
function boundsOf(session: SessionRow, person: Person): readonly Permission[] {
  if (!person.is_guest || isOfProject(session, person)) {
    return permissionsOf(projectOf(session, person.project_permissions), person.user_id);
  }
  const { creator_id: creator } = session;
  const held = creator === null ? [] : permissionsOf(projectOf(session, session.creator_permissions), creator);
  return held.filter((permission) => permission !== 'manage');
}

/** Whether the user manages the project. Nobody in the session can take this right from them. */
export const manages = (session: SessionRow, person: Person): boolean => boundsOf(session, person).includes('manage');

export const mayBeGivenWrite = (session: SessionRow, person: Person): boolean =>
  boundsOf(session, person).includes('write');

export function rightsOf(session: SessionRow, person: Person): SessionRights {
  const bounds = boundsOf(session, person);
  if (!bounds.includes('read')) return none;
  const isOf = isOfProject(session, person);
  const isAdminAnyway = bounds.includes('manage') || (isOf && person.user_id === session.creator_id);
  const mayWrite = bounds.includes('write') && (isAdminAnyway || person.may_write);
  const isProtected = mayWrite && isProtectedBranch(session, session.branch);
  return {
    read: true,
    write: mayWrite && !isProtected,
    isProtected,
    // A user who merely sees a public project is a reader of its sessions.
    admin: isAdminAnyway || (person.may_admin && (isOf || person.is_guest)),
    comment: bounds.includes('comment'),
  };
}

/** The reason why nobody can write in the session, if there is one. */
export const readOnlyReason = (session: SessionRow): { read_only_reason?: string } =>
  isProtectedBranch(session, session.branch) ? { read_only_reason: protectedBranch(session.branch).message } : {};

/** The user with their rights as a participant or, if they have not joined, with those that they would get. */
export function personOf(session: SessionRow, userId: string): Person & { participant: ParticipantRow | undefined } {
  const participant = session.participants.find(({ user_id }) => user_id === userId);
  const joined = participant?.status === 'joined' ? participant : undefined;
  return {
    user_id: userId,
    is_guest: joined?.is_guest ?? false,
    may_write: participant?.may_write ?? session.may_write,
    may_admin: joined?.may_admin ?? false,
    project_permissions: session.my_permissions,
    participant,
  };
}

export const isOver = (session: SessionRow): boolean => session.ended_at !== null || session.remaining_ms <= 0;

/**
 * Throws if the session is not open. A user who may not see the session does not learn that it exists. Other users
 * learn why it is closed.
 */
export function mustBeOpen(session: SessionRow | undefined, userId: string): SessionRow {
  if (!session || !rightsOf(session, personOf(session, userId)).read) throw invalidSession();
  mustBeGoingOn(session);
  return session;
}

export function mustBeGoingOn(session: SessionRow): void {
  if (!session.collaboration_enabled) throw collaborationIsOff();
  if (isOver(session)) throw invalidSession();
}

export const collaborationIsOff = (): AppError => forbidden('Collaboration is disabled in this project');

/** Throws if the user was removed. A user who manages the project cannot be kept out. */
export function mustNotBeRemoved(session: SessionRow, userId: string): void {
  const person = personOf(session, userId);
  if (person.participant?.status !== 'removed' || manages(session, person)) return;
  throw forbidden('You were removed from this session; an admin of the session can let you in again');
}

export function mustBeAdmin(session: SessionRow, userId: string): void {
  if (!rightsOf(session, personOf(session, userId)).admin) throw forbidden('Only an admin of the session can do this');
}
