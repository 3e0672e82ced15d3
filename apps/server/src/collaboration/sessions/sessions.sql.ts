import type { Permission } from '@bottega/contract';
import { sql } from 'kysely';
import type { SealedColumn } from '../../foundation/crypto/reseal.ts';
import { allRows, firstRow, type Queries, type RowWithout, type Trx } from '../../foundation/db/index.ts';
import { isMemberOf, projectAccess } from '../../projects/access/index.ts';
import type { HeadAt } from '../../repository/objects/ref-names.ts';

/** A current or former participant, with their current rights in the session's project. */
export type ParticipantRow = {
  user_id: string;
  username: string;
  name: string;
  email: string;
  is_suspended: boolean;
  status: 'joined' | 'left' | 'removed';
  is_guest: boolean;
  may_write: boolean;
  may_admin: boolean;
  /** Times are strings, since they arrive as JSON. */
  joined_at: string;
  last_seen: string;
  /** Whether this user has a socket on any node. */
  is_online: boolean;
  project_permissions: Permission[] | null;
};

/**
 * A session with everything that decides access to it, in one query. Requests and the check of open sockets share it.
 */
export type SessionRow = RowWithout<'collaboration_sessions'> & {
  remaining_ms: number;
  owner_id: string;
  public: boolean;
  project_status: 'active' | 'archived';
  collaboration_enabled: boolean;
  protected_branches: string[];
  creator_permissions: Permission[] | null;
  /** The rights of the user who sent the request. */
  my_permissions: Permission[] | null;
  my_username: string | null;
  participants: ParticipantRow[];
};

/** A node that has sent no heartbeat for this long counts as dead, and its sockets count as closed. */
export const deadAfter = sql.raw("interval '10 seconds'");

const sessions = (userId: string | null) => sql`
  select s.id, s.project_id, s.branch, s.creator_id, s.name, s.description, s.may_write, s.may_admin, s.invite_encrypted,
    s.invite_digest, s.created_at, s.expires_at, s.ended_at, s.end_reason,
    (extract(epoch from s.expires_at - clock_timestamp()) * 1000)::float8 as remaining_ms,
    p.owner_id, p.public, p.status as project_status, p.collaboration_enabled, p.protected_branches,
    ${projectAccess(sql`s.creator_id`)} as creator_permissions,
    ${projectAccess(sql`${userId}::text`)} as my_permissions,
    (select u.username from users u where u.id = ${userId}) as my_username,
    coalesce((
      select json_agg(json_build_object(
          'user_id', u.id, 'username', u.username, 'name', u.name, 'email', u.email,
          'is_suspended', u.suspended_at is not null, 'status', m.status, 'is_guest', m.is_guest,
          'may_write', m.may_write, 'may_admin', m.may_admin, 'joined_at', m.joined_at, 'last_seen', m.last_seen,
          'is_online', coalesce(m.active_until > now(), false) or exists (
            select from live_sockets l join live_nodes n on n.id = l.node_id
            where l.session_id = s.id and l.user_id = u.id and n.beat_at > now() - ${deadAfter}),
          'project_permissions', ${projectAccess(sql`u.id`)}
        ) order by m.joined_at, u.id)
      from session_participants m join users u on u.id = m.user_id
      where m.session_id = s.id
    ), '[]') as participants
  from collaboration_sessions s join projects p on p.id = s.project_id`;

export function findSession(db: Queries, id: string, userId: string): Promise<SessionRow | undefined> {
  return firstRow<SessionRow>(db)`${sessions(userId)} where s.id = ${id} and p.deleted_at is null`;
}

export type PreviewedSession = { name: string; project_name: string; host_name: string; invite_digest: Buffer };

/** A session that can be joined now, for a visitor with its link. */
export function findToPreview(db: Queries, id: string): Promise<PreviewedSession | undefined> {
  return firstRow<PreviewedSession>(db)`
    select s.name, p.name as project_name, u.name as host_name, s.invite_digest
    from collaboration_sessions s join projects p on p.id = s.project_id join users u on u.id = s.creator_id
    where s.id = ${id} and s.ended_at is null and s.expires_at > now()
      and p.collaboration_enabled and p.deleted_at is null`;
}

/** Sessions of open sockets, including those that ended because their project was deleted. */
export function findSessions(db: Queries, ids: string[]): Promise<SessionRow[]> {
  return allRows<SessionRow>(db)`${sessions(null)} where s.id = any(${ids}::text[])`;
}

/**
 * Locks the session until the transaction ends, so that joining, leaving and changing participants happen in sequence.
 */
export async function lockSession(trx: Trx, id: string): Promise<void> {
  await sql`select from collaboration_sessions where id = ${id} for no key update`.execute(trx);
}

export type SessionPage = { limit: number; offset: number; projectId: string | null; branch: string | null };

/** The open sessions in which the user participates, or whose project they own or collaborate on, newest first. */
export async function listSessions(
  db: Queries,
  userId: string,
  { limit, offset, projectId, branch }: SessionPage,
): Promise<{ rows: SessionRow[]; total: number }> {
  const mine = sql`
    s.ended_at is null and s.expires_at > now() and p.collaboration_enabled and p.deleted_at is null
    and (${projectId}::text is null or s.project_id = ${projectId})
    and (${branch}::text is null or s.branch = ${branch})
    and (${isMemberOf(sql`p.id`, sql`${userId}`)}
      or exists (select from session_participants m
        where m.session_id = s.id and m.user_id = ${userId} and m.status = 'joined'))`;
  const [{ rows }, counted] = await Promise.all([
    sql<SessionRow>`${sessions(userId)} where ${mine} order by s.id desc limit ${limit} offset ${offset}`.execute(db),
    sql<{ total: number }>`
      select count(*) as total from collaboration_sessions s
      join projects p on p.id = s.project_id where ${mine}`.execute(db),
  ]);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

type NewSession = Pick<
  SessionRow,
  'id' | 'project_id' | 'branch' | 'creator_id' | 'name' | 'description' | 'may_write' | 'may_admin'
> & { invite_encrypted: Buffer; invite_digest: Buffer };

export async function insertSession(trx: Trx, session: NewSession, lifeSeconds: number): Promise<void> {
  await trx
    .insertInto('collaboration_sessions')
    .values({ ...session, expires_at: sql<Date>`now() + make_interval(secs => ${lifeSeconds})` })
    .execute();
}

export async function endSession(trx: Trx, id: string, reason: string): Promise<void> {
  await trx
    .updateTable('collaboration_sessions')
    .set({ ended_at: sql<Date>`now()`, end_reason: reason })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute();
}

/** Extends a session. Never moves its end to an earlier time. */
export async function extendSession(trx: Trx, id: string, seconds: number): Promise<void> {
  await trx
    .updateTable('collaboration_sessions')
    .set({ expires_at: sql<Date>`greatest(expires_at, now() + make_interval(secs => ${seconds}))` })
    .where('id', '=', id)
    .execute();
}

export async function setInvite(
  trx: Trx,
  id: string,
  invite: { invite_encrypted: Buffer; invite_digest: Buffer },
): Promise<void> {
  await trx.updateTable('collaboration_sessions').set(invite).where('id', '=', id).execute();
}

/**
 * Deletes up to `max` sessions that ended more than `days` days ago, with their participants and comments. Returns
 * their number.
 */
export async function deleteOldSessions(db: Queries, days: number, max: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from collaboration_sessions where id = any(array(
      select id from collaboration_sessions
      where least(ended_at, expires_at) < now() - make_interval(days => ${days})
      order by least(ended_at, expires_at) limit ${max}))`.execute(db);
  return Number(numAffectedRows);
}

export const sessionChannel = 'bottega_sessions';

/**
 * Announces a change to a session. After the commit, every node immediately checks its sockets of this session. For
 * projects, triggers announce changes.
 */
export async function announceSessionChange(trx: Trx, id: string): Promise<void> {
  await sql`select pg_notify(${sessionChannel}, ${id})`.execute(trx);
}

export const sealedInvites: SealedColumn = {
  table: 'collaboration_sessions',
  column: 'invite_encrypted',
  purpose: 'session invites',
};

/** Ends the sessions of a deleted branch. */
export async function endSessionsOfBranch(trx: Trx, { projectId, branch }: HeadAt): Promise<void> {
  await sql`
    with ended as (
      update collaboration_sessions set ended_at = now(), end_reason = 'branch_deleted'
      where project_id = ${projectId} and branch = ${branch} and ended_at is null returning id)
    select pg_notify(${sessionChannel}, id) from ended`.execute(trx);
}

/** Whether a node of an earlier version is running. It would treat every session as a session on main. */
export async function hasNodeOfMainOnly(db: Queries): Promise<boolean> {
  const { rows } = await sql`
    select from live_nodes where version = 0 and beat_at > now() - ${deadAfter} limit 1`.execute(db);
  return rows.length > 0;
}
