import type { AuditAction, CreateSession, ExtendSession, Session } from '@bottega/contract';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { type Cause, invalid, type Principal, unavailable } from '../../foundation/http/index.ts';
import { gather } from '../../foundation/http/request/field-checks.ts';
import { isId, newId } from '../../foundation/ids.ts';
import { recordAudit } from '../../identity/audit/index.ts';
import { notify } from '../../notifications/index.ts';
import { mustBeActive, mustHave, permissionsOf } from '../../projects/access/index.ts';
import { lockKnownProject, type WritableProject } from '../../projects/index.ts';
import { isMain, mainBranch } from '../../repository/objects/ref-names.ts';
import { findTip } from '../../repository/store/index.ts';
import { newInvite } from './invite-link.ts';
import { putParticipant } from './participants.sql.ts';
import { collaborationIsOff, invalidSession, mustBeAdmin, mustBeOpen, personOf, rightsOf } from './sessions.policy.ts';
import * as rows from './sessions.sql.ts';
import { asSession, type Links } from './sessions.view.ts';

export type SessionSettings = Links & { lifeSeconds: number; participants: number };

/** Creates a session. The caller needs write access to the project, because the session's link lets other people in. */
export async function createSession(
  trx: Trx,
  { userId }: Principal,
  input: CreateSession,
  { settings, cause }: { settings: SessionSettings; cause: Cause },
): Promise<Session> {
  const [project] = await gather([
    lockProjectNamed(trx, input.workspace_id, userId),
    mustPermitReading(input.permissions ?? {}),
  ]);
  mustHave(project, userId, 'write');
  if (!project.collaboration_enabled) throw collaborationIsOff();
  mustBeActive(project);
  const { branch = mainBranch } = input;
  await mustBeEditable(trx, project, branch);
  const id = newId('ses');
  await rows.insertSession(
    trx,
    {
      id,
      project_id: project.id,
      branch,
      creator_id: userId,
      name: input.name,
      description: input.description ?? '',
      may_write: input.permissions?.write ?? true,
      may_admin: input.permissions?.admin ?? false,
      ...newInvite(settings.invites),
    },
    settings.lifeSeconds,
  );
  await putParticipant(trx, { sessionId: id, userId, isGuest: false, mayWrite: true, mayAdmin: true });
  const session = await mustFind(trx, id, userId);
  await noteInAudit(trx, 'session.created', session, cause);
  const notice = { type: 'session_started', data: { session_id: id, session_name: input.name } } as const;
  await notify(trx, { ...notice, to: 'members', projectId: project.id, actorId: userId }, cause);
  return asSession(session, userId, settings);
}

/**
 * Throws if the branch cannot be edited live: it does not exist, or a node of an earlier version is running, which
 * would show the files of main instead.
 */
async function mustBeEditable(trx: Trx, project: WritableProject, branch: string): Promise<void> {
  if (isMain({ branch })) return;
  if (!project.version_control || !(await findTip(trx, project.id, branch)))
    throw invalid('branch', 'is not a branch of the project');
  if (await rows.hasNodeOfMainOnly(trx))
    throw unavailable(new Error('a node with an earlier version is running, which cannot edit branches live'));
}

export async function mustPermitReading({ read }: NonNullable<CreateSession['permissions']>): Promise<void> {
  if (read === false) throw invalid('permissions.read', 'must be true, because the other permissions require it');
}

/**
 * Locks the project, so that collaboration is not turned off meanwhile. A project that the user may not see causes the
 * same error as a missing one.
 */
export async function lockProjectNamed(trx: Trx, id: string, userId: string): Promise<WritableProject> {
  const project = await lockKnownProject(trx, id, userId);
  if (!project || !permissionsOf(project, userId).includes('read')) {
    throw invalid('workspace_id', 'is not a project that you can access');
  }
  return project;
}

export async function listSessions(
  db: Db,
  { userId }: Principal,
  { page, links }: { page: rows.SessionPage; links: Links },
): Promise<{ sessions: Session[]; total: number }> {
  const listed = await rows.listSessions(db, userId, page);
  // A guest stays a participant when the session's creator loses access to the project, but can no longer see the
  // session.
  const visible = listed.rows.filter((row) => rightsOf(row, personOf(row, userId)).read);
  const sessions = visible.map((row) => asSession(row, userId, links));
  return { sessions, total: listed.total - (listed.rows.length - visible.length) };
}

export async function readSession(db: Db, { userId }: Principal, id: string, links: Links): Promise<Session> {
  return asSession(await mustFindOpen(db, id, userId), userId, links);
}

export async function endSession(db: Db, { userId }: Principal, id: string, cause: Cause): Promise<void> {
  await transaction(db, async (trx) => {
    const session = await lockAsAdmin(trx, id, userId);
    await rows.endSession(trx, id, 'ended');
    await noteInAudit(trx, 'session.ended', session, cause);
    await rows.announceSessionChange(trx, id);
  });
}

export async function extendSession(
  db: Db,
  { userId }: Principal,
  id: string,
  { wanted, settings }: { wanted: ExtendSession | null; settings: SessionSettings },
): Promise<Session> {
  const seconds = wanted?.seconds ?? settings.lifeSeconds;
  if (seconds > settings.lifeSeconds) throw invalid('seconds', `must be at most ${settings.lifeSeconds}`);
  return transaction(db, async (trx) => {
    await lockAsAdmin(trx, id, userId);
    await rows.extendSession(trx, id, seconds);
    await rows.announceSessionChange(trx, id);
    return asSession(await mustFind(trx, id, userId), userId, settings);
  });
}

/** Replaces the link. The previous link stops working, but people who joined through it stay. */
export async function rotateInvite(
  db: Db,
  { userId }: Principal,
  id: string,
  { links, cause }: { links: Links; cause: Cause },
): Promise<Session> {
  return transaction(db, async (trx) => {
    const session = await lockAsAdmin(trx, id, userId);
    await rows.setInvite(trx, id, newInvite(links.invites));
    await noteInAudit(trx, 'session.invite_rotated', session, cause);
    return asSession(await mustFind(trx, id, userId), userId, links);
  });
}

async function lockAsAdmin(trx: Trx, id: string, userId: string): Promise<rows.SessionRow> {
  const session = await lockOpen(trx, id, userId);
  mustBeAdmin(session, userId);
  return session;
}

/** Reads the session again after locking it, since it may have changed. */
export async function lockOpen(trx: Trx, id: string, userId: string): Promise<rows.SessionRow> {
  return mustBeOpen(await lockKnown(trx, id, userId), userId);
}

/** Locks a session without checking rights, because it may be hidden from the user until they show the link. */
export async function lockKnown(trx: Trx, id: string, userId: string): Promise<rows.SessionRow | undefined> {
  if (!isId('ses', id)) return undefined;
  await rows.lockSession(trx, id);
  return rows.findSession(trx, id, userId);
}

export async function mustFindOpen(db: Db | Trx, id: string, userId: string): Promise<rows.SessionRow> {
  return mustBeOpen(isId('ses', id) ? await rows.findSession(db, id, userId) : undefined, userId);
}

export async function mustFind(trx: Trx, id: string, userId: string): Promise<rows.SessionRow> {
  const session = await rows.findSession(trx, id, userId);
  if (!session) throw invalidSession();
  return session;
}

type Action = Extract<AuditAction, `session.${string}`>;

/** Records in the audit log of the project's owner who was let in, and by whom. */
export async function noteInAudit(
  trx: Trx,
  action: Action,
  session: rows.SessionRow,
  cause: Cause,
  about: Record<string, unknown> = {},
): Promise<void> {
  const details = { project_id: session.project_id, name: session.name, ...about };
  await recordAudit(trx, { action, accountId: session.owner_id, subjectId: session.id, details }, cause);
}
