import type { EventType } from '@bottega/contract';
import { type RawBuilder, sql } from 'kysely';
import { cutSnapshot, parseSnapshot } from '../events/index.ts';
import type { Queries } from '../foundation/db/index.ts';
import { planEachTime } from '../foundation/db/prepared-statements.ts';
import { managesProject, membersOf } from '../projects/access/index.ts';
import type { OutboxEvent } from '../webhooks/index.ts';
import { databaseDigits } from './cursor.ts';

export type FoundEvent = OutboxEvent & {
  data: Record<string, unknown>;
  /** Of those who were asked for: who may see it, and who may as an administrator only. */
  users: readonly string[];
  admins: readonly string[];
};

export type Audience = {
  types: readonly EventType[];
  users: readonly string[];
  /** Those of them whose credential may see what an administrator sees. */
  admins: readonly string[];
};

/** What became visible between two snapshots, or a part of it: a window, of which events up to a number are known already. */
export type Stretch = { since: string; until: string | null; afterSeq: number };

/** `rows`: about so many events are looked at, whosever they are. `most`: so many are brought along. */
export type Window = Stretch & Audience & { rows: number; most: number };

/** What is true in the snapshot of a statement. */
export type Now = {
  /** By which the database is known. */
  database: string;
  snapshot: string;
  readAt: number;
  /** Events before this were deleted. */
  deletedUntil: number;
};

export type Reading = Now & {
  events: FoundEvent[];
  /** When the last event that was looked at happened; null where there was none. */
  lastAt: number | null;
  /** The end of the window: a snapshot. */
  until: string;
  /** The window ends before what was asked for. */
  more: boolean;
};

type Row = Now & {
  seen: string;
  looked: number;
  last: { xid: string; at: number } | null;
  events: (Omit<FoundEvent, 'created_at' | 'users' | 'admins'> & {
    created_at: string;
    users: string[] | null;
    admins: string[] | null;
  })[];
};

const eventColumns = sql.raw(
  'xid, seq, id, type, account_id, project_id, for_managers, created_at, request_id, idempotency_key, data',
);

const milliseconds = (time: RawBuilder<unknown>) => sql`(extract(epoch from ${time}) * 1000)::float8`;

/**
 * Transactions are counted by the server, and a database keeps its number there for life: after a restore at least one of
 * the two is another.
 */
const now = sql`
  pg_current_snapshot()::text as snapshot,
  left(md5((select system_identifier from pg_control_system()) || ' ' ||
    (select oid from pg_database where datname = current_database())), ${sql.lit(databaseDigits)}) as database,
  ${milliseconds(sql`now()`)} as "readAt",
  (select ${milliseconds(sql`deleted_until`)} from event_retention) as "deletedUntil"`;

export async function readNow(db: Queries): Promise<Now> {
  const { rows } = await sql<Now>`select ${now}`.execute(db);
  return rows[0] as Now;
}

/** What was seen before the last `rows` events that `until`, or this moment, shows; null where there are not as many. */
export async function snapshotBefore(
  db: Queries,
  { until, rows }: { until: string | null; rows: number },
): Promise<string | null> {
  const { rows: found } = await sql<{ xid: string }>`
    select xid::text as xid from events
    where xid < coalesce(pg_snapshot_xmin(${until}::text::pg_snapshot), '18446744073709551615'::xid8)
    order by xid desc offset ${rows - 1} limit 1`.execute(db);
  const xid = found[0]?.xid;
  return xid === undefined ? null : `${xid}:${xid}:`;
}

/**
 * One statement, and so one snapshot, for the events and for the rights to see them. What a snapshot does not show are the
 * transactions that ran then and those that began later: each is asked for by itself, so that one that runs for hours does
 * not have everything since its begin read again and again. Transactions are never cut in two: with ties.
 */
export async function readWindow(db: Queries, window: Window): Promise<Reading> {
  const { since, until, afterSeq, rows: size, most, types, users, admins } = window;
  const before = parseSnapshot(since);
  const { rows } = await sql<Row>`${planEachTime}
    with seen as materialized (
      select coalesce(${until}::text::pg_snapshot, pg_current_snapshot()) as snapshot
    ), fresh as materialized (
      select ${eventColumns} from (
        (
          select ${eventColumns} from events
          where xid = any(${`{${before.running.join(',')}}`}::text::xid8[])
            and pg_visible_in_snapshot(xid, (select snapshot from seen))
        ) union all (
          select ${eventColumns} from events
          where xid >= ${String(before.most)}::text::xid8 and pg_visible_in_snapshot(xid, (select snapshot from seen))
          order by xid fetch first ${size} rows with ties
        )
      ) as e order by xid fetch first ${size} rows with ties
    ), wanted as materialized (
      select ${eventColumns} from fresh where type = any(${types}::text[]) and seq > ${afterSeq}
    ), place as materialized (
      select f.account_id, f.project_id, f.for_managers, audience.users, audience.admins
      from (select distinct account_id, project_id, for_managers from wanted) as f
      join lateral (
        select json_agg(u.id) filter (where not entitled.as_admin) as users,
          json_agg(u.id) filter (where entitled.as_admin) as admins
        from (
          select user_id, false as as_admin from (${membersOf(sql`f.project_id`)}) as reader
          union all
          select f.account_id, false where f.project_id is null
          union all
          select id, true from users where f.project_id is null and is_admin and id = any(${admins}::text[])
        ) as entitled
        join users as u on u.id = entitled.user_id and u.suspended_at is null
        where u.id = any(${users}::text[])
          and (f.for_managers is null or f.for_managers = ${managesProject(sql`f.project_id`, sql`u.id`)})
      ) as audience on audience.users is not null or audience.admins is not null
    )
    select seen.snapshot::text as seen,
      ${now},
      (select count(*) from fresh)::int as looked,
      (
        select json_build_object('xid', f.xid::text, 'at', ${milliseconds(sql`f.created_at`)}) from fresh as f
        order by f.xid desc limit 1
      ) as last,
      coalesce((
        select json_agg(row_to_json(one) order by one.seq) from (
          select w.seq, w.id, w.type, w.account_id, w.project_id, w.created_at, w.request_id, w.idempotency_key, w.data,
            owner.name as account_name, p.users, p.admins
          from wanted as w
          join place as p on p.account_id = w.account_id and p.project_id is not distinct from w.project_id
            and p.for_managers is not distinct from w.for_managers
          left join users as owner on owner.id = w.account_id
          order by w.seq limit ${most}
        ) as one
      ), '[]') as events
    from seen`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the events have no snapshot');
  return asReading(row, window);
}

function asReading({ seen, looked, last, events, ...rest }: Row, { since, rows: size }: Window): Reading {
  const more = looked >= size && last !== null;
  return {
    ...rest,
    lastAt: last?.at ?? null,
    events: events.map((event) => ({
      ...event,
      created_at: new Date(event.created_at),
      users: event.users ?? [],
      admins: event.admins ?? [],
    })),
    more,
    until: more ? cutSnapshot(seen, BigInt(last.xid) + 1n, since) : seen,
  };
}
