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
  /** The requested users who may see the event, and those who may see it only as administrators. */
  users: readonly string[];
  admins: readonly string[];
};

export type Audience = {
  types: readonly EventType[];
  users: readonly string[];
  /** Users whose credential may see what an administrator sees. */
  admins: readonly string[];
};

/**
 * Selects the events that became visible between two snapshots, without those up to `afterSeq`, which are already
 * known.
 */
export type Stretch = { since: string; until: string | null; afterSeq: number };

/**
 * `rows` is the approximate number of events of all accounts that are examined. `max` is the number of events that are
 * returned.
 */
export type Window = Stretch & Audience & { rows: number; max: number };

/** The state of the database in a statement's snapshot. */
export type Now = {
  /** Identifies the database. */
  database: string;
  snapshot: string;
  readAt: number;
  /** Events before this time were deleted. */
  deletedUntil: number;
};

export type Reading = Now & {
  events: FoundEvent[];
  /** Time of the last event examined. Null if there was none. */
  lastAt: number | null;
  /** The snapshot at the end of the window. */
  until: string;
  /** True if the window ends before the requested end. */
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

/** Identifies the database by the server and its oid there. A restore changes at least one of them. */
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

/**
 * Returns the snapshot before the last `rows` events that are visible in `until`, or visible now if `until` is null.
 * Null if there are fewer events.
 */
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
 * Reads events and the rights to see them in one statement, and therefore in one snapshot. New since a snapshot are the
 * transactions that were running when it was taken, and those that began later. The former are queried by their ids. So
 * a transaction that runs for hours does not cause everything since its start to be read again and again. Because of
 * `with ties`, a window never ends in the middle of a transaction.
 */
export async function readWindow(db: Queries, window: Window): Promise<Reading> {
  const { since, until, afterSeq, rows: size, max, types, users, admins } = window;
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
          where xid >= ${String(before.xmax)}::text::xid8 and pg_visible_in_snapshot(xid, (select snapshot from seen))
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
          order by w.seq limit ${max}
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
