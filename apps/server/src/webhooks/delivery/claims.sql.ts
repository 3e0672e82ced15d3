import { sql } from 'kysely';
import { allRows, type Db, planOnce, type Queries, type RowOf, type Trx } from '../../foundation/db/index.ts';
import { isMemberOf } from '../../projects/access/index.ts';
import { type DeliveryJob, inRange, isPending, type PendingRange, pending, takeTurn } from '../queue/index.ts';
import { grantHolds, isAccountDeletion } from '../subscriptions/index.ts';

type Claim = {
  holder: number;
  /**
   * `room` is the usual number of free slots on this node for a webhook and for an account. `rooms` lists those that
   * have a different number.
   */
  room: { webhook: number; account: number };
  rooms: { webhooks: ReadonlyMap<string, number>; accounts: ReadonlyMap<string, number> };
  limit: number;
  /** The range of ids to search. Absent means all. */
  within?: PendingRange;
};

/** `behind` contains the webhooks for which as many deliveries were claimed as were offered, so they may have more. */
type Claimed = { jobs: DeliveryJob[]; behind: ReadonlySet<string> };

type Row = RowOf<
  'webhook_deliveries',
  ['id', 'webhook_id', 'event_id', 'event_type', 'format', 'attempts', 'place', 'project_id']
> & {
  ordered: boolean;
  owner_id: string;
  offered: number;
  active: boolean;
  allowed: boolean;
  data: string | null;
  event_at: Date | null;
  request_id: string | null;
  idempotency_key: string | null;
};

/**
 * Claims due deliveries that no node holds. The query goes from webhook to webhook. If it went along one common queue,
 * a webhook with many deliveries would delay the others. Accounts take turns. Each webhook is offered a share of its
 * account's free slots, so the query reads and sorts few deliveries that it does not claim. Only one node claims at a
 * time, so two nodes never take the probe of a paused webhook, or two ordered deliveries of one project. Another node
 * gets `busy`.
 */
export async function claimDue(trx: Trx, claim: Claim): Promise<Claimed | 'busy'> {
  await planOnce(trx);
  const turn = await takeTurn(trx, 'claim', claim.holder);
  if (turn === null) return 'busy';
  const rows = turn.holder === null ? [] : await takeDue(trx, claim);
  const until = performance.now() + longestRunMs;
  const jobs = rows.toSorted(byPlace).map((row) => ({
    id: row.id,
    webhookId: row.webhook_id,
    accountId: row.owner_id,
    eventId: row.event_id,
    name: row.event_type,
    format: row.format,
    attempt: row.attempts + 1,
    holder: claim.holder,
    batch: null,
    run: row.ordered && row.place !== null ? { line: row.project_id ?? '', until } : null,
    verdict: row.active ? (row.allowed ? null : ('no_access' as const)) : ('inactive' as const),
    payload: {
      data: row.data ?? '{}',
      eventAt: row.event_at ?? new Date(0),
      requestId: row.request_id,
      idempotencyKey: row.idempotency_key,
    },
  }));
  const counts = new Map<string, number>();
  for (const { webhook_id: id } of rows) counts.set(id, (counts.get(id) ?? 0) + 1);
  const all = rows.filter((row) => (counts.get(row.webhook_id) ?? 0) >= row.offered);
  return { jobs, behind: new Set(all.map((row) => row.webhook_id)) };
}

const byPlace = (one: Row, other: Row): number => (one.place ?? 0) - (other.place ?? 0);

/** Maximum number of ordered deliveries of one project in a claim, and how long they may wait until they begin. */
const longestRun = 50;
const longestRunMs = 10_000;

/** Minimum number of deliveries that a webhook is offered, even if its account has many other webhooks. */
const leastOffered = 10;

/** All webhooks with pending deliveries. The query skips along the index instead of reading all entries. */
const queued = (within?: PendingRange) => sql`queued(webhook_id) as (
      (select d.webhook_id from webhook_deliveries as d where ${pending(within)} order by d.webhook_id limit 1)
      union all
      select (
        select d.webhook_id from webhook_deliveries as d
        where ${pending(within)} and d.webhook_id > queued.webhook_id order by d.webhook_id limit 1
      ) from queued where queued.webhook_id is not null
    )`;

/**
 * The number of deliveries that each webhook is offered: its free slots, but at most its share of the account's free
 * slots.
 */
const offered = ({ room, rooms, within }: Claim) => sql`rooms as (
      select * from unnest(${[...rooms.webhooks.keys()]}::text[], ${[...rooms.webhooks.values()]}::integer[])
        as given(webhook_id, room)
    ), account_rooms as (
      select * from unnest(${[...rooms.accounts.keys()]}::text[], ${[...rooms.accounts.values()]}::integer[])
        as given(owner_id, room)
    ), queue as (
      select w.id, w.active, w.owner_id, w.grant_id, w.as_admin, w.ordered,
        -- A redelivery is requested by hand, so it does not wait for the end of a pause.
        coalesce(h.paused_until > now(), false) as paused,
        case when h.paused_until <= now() then
          case when exists (
            select from webhook_deliveries as d where ${pending(within)} and d.webhook_id = w.id and d.holder is not null
          ) then 0 else 1 end
        else coalesce(rooms.room, ${room.webhook}) end as room
      from queued join webhooks as w on w.id = queued.webhook_id
      left join webhook_health as h on h.webhook_id = w.id
      left join rooms on rooms.webhook_id = w.id
    ), open as (
      select queue.id, active, queue.owner_id, grant_id, as_admin, ordered, paused,
        case when coalesce(account_rooms.room, 1) = 0 then 0 else
          least(queue.room, greatest(${leastOffered},
            coalesce(account_rooms.room, ${room.account}) / count(*) over (partition by queue.owner_id))) end as room
      from queue left join account_rooms on account_rooms.owner_id = queue.owner_id
    )`;

const waiting = ({ within }: Claim) =>
  sql`d.webhook_id = open.id and ${pending(within)} and d.due_at <= now() and d.holder is null`;

/**
 * The line in which an ordered delivery waits. Each project has one line, and so do the deliveries without a project.
 * The deliveries of a line are sent one after the other.
 */
const line = sql`coalesce(d.project_id, '')`;

/** The first delivery of each line. The query skips along the index and reads no other deliveries. */
const heads = ({ within }: Claim) => sql`with recursive head as (
          (
            select d.id, d.due_at, d.holder, ${line} as line from webhook_deliveries as d
            where d.webhook_id = open.id and ${pending(within)} and d.place is not null
            order by ${line}, d.place limit 1
          )
          union all
          select next.id, next.due_at, next.holder, next.line from head cross join lateral (
            select d.id, d.due_at, d.holder, ${line} as line from webhook_deliveries as d
            where d.webhook_id = open.id and ${pending(within)} and d.place is not null and ${line} > head.line
            order by ${line}, d.place limit 1
          ) as next
        )`;

/**
 * A run: the deliveries at the head of a line, up to the first that is not due. Empty while any of them is held,
 * because the new head may be an event that became visible late, and belongs before a run that is in progress.
 */
const run = ({ within }: Claim) => sql`(
          select next.id, next.depth from (
            select d.id, row_number() over in_order as depth, bool_and(d.due_at <= now()) over in_order as is_due,
              bool_and(d.holder is null) over () as is_free
            from (
              select d.id, d.place, d.holder, d.due_at from webhook_deliveries as d
              where d.webhook_id = open.id and ${pending(within)} and d.place is not null and ${line} = head.line
              order by ${line}, d.place limit ${longestRun}
            ) as d window in_order as (order by d.place, d.id)
          ) as next where next.is_free and next.is_due
        )`;

/**
 * The due deliveries of each webhook or, for an ordered webhook, the next run of each project. A limit cuts off only
 * the ends of runs, because all deliveries of a run count as due at the time of its first one, which sorts before the
 * others.
 */
const due = (claim: Claim) => sql`due as (
      select one.id, open.active, open.owner_id, open.grant_id, open.as_admin, open.room as offered,
        open.ordered,
        row_number() over (partition by open.owner_id order by one.due_at, one.depth) as turn
      from open cross join lateral (
        (
          select d.id, d.due_at, 1 as depth from webhook_deliveries as d
          where ${waiting(claim)} and d.place is null and (not open.paused or d.kind = 'redelivery')
          order by d.due_at limit open.room
        )
        union all
        (
          ${heads(claim)}
          select run.id, head.due_at, run.depth from head cross join lateral ${run(claim)} as run
          where open.ordered and not open.paused and head.holder is null and head.due_at <= now()
          order by run.depth, head.due_at limit open.room
        )
        union all
        -- The webhook no longer requires an order.
        (
          select d.id, d.due_at, 1 as depth from webhook_deliveries as d
          where ${waiting(claim)} and d.place is not null and not open.ordered and not open.paused
          -- Uses the index of ordered deliveries, which contains no others.
          order by ${line}, d.place limit open.room
        )
      ) as one
      order by turn, one.due_at, one.depth limit ${claim.limit}
    )`;

/** Whether the webhook's owner may still see the delivery's content. */
const allowed = sql`
      case when t.suspended and not coalesce(${isAccountDeletion('e', 't.owner_id')}, false) then false
        when t.grant_id is not null and not ${grantHolds('t.grant_id')} then false
        when t.project_id is null then coalesce(
          e.account_id = t.owner_id or (t.as_admin and (select is_admin from users where id = t.owner_id)), true)
        -- Events of a project that no longer exists were meant for its members at that time.
        else not exists (select from projects where id = t.project_id)
          or ${isMemberOf(sql`t.project_id`, sql`t.owner_id`)}
        end`;

function takeDue(trx: Trx, claim: Claim): Promise<Row[]> {
  return allRows<Row>(trx)`
    with recursive ${queued(claim.within)}, ${offered(claim)}, ${due(claim)}, claimed as (
      update webhook_deliveries as d set holder = ${claim.holder} from due
      -- An array of ids, because the planner guesses how many there are and may choose to scan the whole table. The
      -- empty string keeps it from using the index of pending deliveries.
      where d.id = due.id and d.id = any(array(select id from due)) and d.holder is null
        and d.status || '' = 'pending' ${inRange(claim.within)}
      returning d.id, d.webhook_id, d.event_id, d.event_type, d.format, d.attempts, d.place, d.project_id,
        due.active, due.owner_id, due.grant_id, due.as_admin, due.offered, due.ordered,
        exists (select from users where id = due.owner_id and suspended_at is not null) as suspended
    )
    select t.id, t.webhook_id, t.owner_id, t.offered, t.event_id, t.event_type, t.format, t.attempts, t.place, t.project_id,
      t.ordered, t.active,
      p.data, p.event_at, p.request_id, p.idempotency_key, ${allowed} as allowed
    from claimed as t left join webhook_payloads as p on p.event_id = t.event_id and p.format = t.format
    -- Joined once, because each reference to events is planned for all of its partitions.
    left join lateral (
      select e.type, e.account_id from events as e where e.id = t.event_id and (t.project_id is null or t.suspended)
    ) as e on true`;
}

/** Milliseconds until the next delivery is due or a pause ends. Null if nothing waits. */
export async function readNextDue(db: Queries, within?: PendingRange): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    with recursive ${queued(within)}
    select (extract(epoch from least(
      (
        select min(next.due_at) from queued cross join lateral (
          select d.due_at from webhook_deliveries as d
          where ${pending(within)} and d.webhook_id = queued.webhook_id and d.due_at > now()
          order by d.due_at limit 1
        ) as next
      ),
      (select min(paused_until) from webhook_health where paused_until > now())
    ) - now()) * 1000)::float8 as ms`.execute(db);
  return rows[0]?.ms ?? null;
}

/**
 * Releases all deliveries of this holder except the given ones. After a failure, the database may say that this holder
 * has deliveries that are not in its memory.
 */
export async function releaseAll(db: Queries, holder: number, exceptIds: readonly string[]): Promise<bigint> {
  const result = await db
    .updateTable('webhook_deliveries')
    .set({ holder: null })
    .where(isPending)
    .where('holder', '=', holder)
    .where('id', '<>', sql<string>`all(${exceptIds}::text[])`)
    .executeTakeFirst();
  return result.numUpdatedRows;
}

export async function release(db: Db, holder: number, ids: readonly string[]): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ holder: null })
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .where('holder', '=', holder)
    .where(isPending)
    .execute();
}
