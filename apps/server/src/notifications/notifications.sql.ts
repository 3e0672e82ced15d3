import { type NotificationType, scopeToBeNotified } from '@bottega/contract';
import { type RawBuilder, sql } from 'kysely';
import { allRows, cleanRows, type Db, firstRow, type Queries, type RowOf, type Trx } from '../foundation/db/index.ts';
import { isInvited, isMemberOf, isReadableBy, membersOf } from '../projects/access/index.ts';

export type Made = { id: string; user_id: string; created_at: Date; mails: boolean };

type About = { type: NotificationType; projectId: string | null; actorId: string | null; data: object };

/** Inserts notifications. A suspended or deleted account gets none. */
export function insertNotifications(
  trx: Trx,
  made: readonly { id: string; userId: string }[],
  { type, projectId, actorId, data }: About,
): Promise<Made[]> {
  return allRows<Made>(trx)`
    with made as (
      insert into notifications (id, user_id, type, project_id, actor_id, data)
      select n.id, n."userId", ${type}, ${projectId}, ${actorId}, ${JSON.stringify(data)}::jsonb
      from json_to_recordset(${JSON.stringify(made)}::json) as n(id text, "userId" text)
      join users as u on u.id = n."userId" and u.suspended_at is null
      returning id, user_id, created_at
    )
    select made.*, u.notify_email as mails from made join users as u on u.id = made.user_id order by made.id`;
}

export async function findMembers(trx: Trx, projectId: string): Promise<string[]> {
  const rows = await allRows<{ user_id: string }>(trx)`${membersOf(sql`${projectId}`)}`;
  return rows.map(({ user_id }) => user_id);
}

/**
 * The types of notifications about content that everybody who can read the project sees. Their recipients need not be
 * members, such as the author of a merge request.
 */
const ofRequests = Object.entries(scopeToBeNotified).flatMap(([type, scope]) => (scope === 'read:files' ? [type] : []));

/** A user who loses access to a project no longer sees its notifications. An invited user sees the invitation. */
const isVisible = sql`(n.project_id is null or exists (
  select from projects as p where p.id = n.project_id and p.deleted_at is null and (
    ${isMemberOf(sql`p.id`, sql`n.user_id`)} or (n.type = 'invitation' and ${isInvited(sql`p.id`, sql`n.user_id`)})
    or (n.type = any(${ofRequests}::text[]) and ${isReadableBy(sql`n.user_id`)})
  )))`;

export type NotificationRow = Omit<
  RowOf<'notifications', ['id', 'type', 'project_id', 'actor_id', 'created_at', 'read_at']>,
  'actor_id'
> & {
  data: Record<string, unknown>;
  project_name: string | null;
  actor: { id: string; name: string; username: string; avatar_url: string | null } | null;
};

const shown = sql`n.id, n.type, n.project_id, n.data, n.created_at, n.read_at, p.name as project_name,
  case when a.id is not null then
    json_build_object('id', a.id, 'name', a.name, 'username', a.username, 'avatar_url', a.avatar_url) end as actor`;
const withNames = sql`left join projects as p on p.id = n.project_id left join users as a on a.id = n.actor_id`;

/**
 * A user who reads notifications, with the types and the projects that the credential may read. Null means all
 * projects.
 */
export type Reader = { userId: string; types: readonly NotificationType[]; projects: readonly string[] | null };

const isOf = ({ userId, types, projects }: Reader): RawBuilder<boolean> =>
  sql`(n.user_id = ${userId} and n.type = any(${types}::text[]) and ${isVisible}
    and (${projects}::text[] is null or n.project_id = any(${projects}::text[])))`;

type Listing = { onlyUnread: boolean; page: number; limit: number };

export function listNotifications(db: Queries, reader: Reader, { onlyUnread, page, limit }: Listing) {
  return allRows<NotificationRow>(db)`
    select ${shown} from notifications as n ${withNames}
    where ${isOf(reader)} and (not ${onlyUnread}::boolean or n.read_at is null)
    order by n.id desc limit ${limit} offset ${(page - 1) * limit}`;
}

export async function countNotifications(db: Queries, reader: Reader): Promise<{ all: number; unread: number }> {
  const row = await firstRow<{ all: number; unread: number }>(db)`
    select count(*)::int as all, count(*) filter (where n.read_at is null)::int as unread
    from notifications as n where ${isOf(reader)}`;
  return row ?? { all: 0, unread: 0 };
}

/** Marks notifications as read. Null means all of them. */
export async function markRead(db: Queries, reader: Reader, ids: readonly string[] | null): Promise<void> {
  await sql`
    update notifications as n set read_at = clock_timestamp()
    where ${isOf(reader)} and n.read_at is null and (${ids}::text[] is null or n.id = any(${ids}::text[]))`.execute(db);
}

/** Marks unread notifications as mailed and returns them, so that the next mail does not repeat them. */
export function takeForMail(trx: Trx, userId: string, types: readonly NotificationType[]): Promise<NotificationRow[]> {
  return allRows<NotificationRow>(trx)`
    with taken as (
      update notifications as n set mailed_at = clock_timestamp()
      where ${isOf({ userId, types, projects: null })} and n.read_at is null and n.mailed_at is null
      returning n.*
    )
    select ${shown} from taken as n ${withNames} order by n.id`;
}

export const deleteOlderThan = (db: Db, days: number): Promise<void> =>
  cleanRows(db, {
    table: 'notifications',
    by: 'created_at',
    where: sql`gone.created_at < now() - make_interval(days => ${days})`,
  });

/** Keeps only the newest notifications of a user. */
export const deleteBeyond = (db: Db, max: number): Promise<void> =>
  cleanRows(db, {
    table: 'notifications',
    by: 'created_at',
    where: sql`gone.user_id in (
        select user_id from notifications group by user_id having count(*) > ${max}
      ) and gone.id < (
        select n.id from notifications as n where n.user_id = gone.user_id order by n.id desc offset ${max - 1} limit 1
      )`,
  });
