import type { EventType } from '@bottega/contract';
import { sql } from 'kysely';
import type { RowOf, RowWithout, Trx } from '../../foundation/db/index.ts';
import { isMemberOf, managesProject, membersOf } from '../../projects/access/index.ts';
import { newerWorkerLives } from '../queue/index.ts';
import { grantHolds, isAccountDeletion } from '../subscriptions/index.ts';
import { type Interest, subscriptionEntries } from './interest.sql.ts';

/** A webhook that gets the event if its filters pass. */
export type Candidate = {
  id: string;
  revision: number;
  /** True if a delivery may be sent immediately, because the webhook is neither paused nor waiting for its probe. */
  open: boolean;
};

/** A row of the outbox, with the name of the event's account. */
export type OutboxEvent = RowOf<
  'events',
  ['seq', 'id', 'account_id', 'project_id', 'created_at', 'request_id', 'idempotency_key']
> & { type: EventType; account_name: string | null };

export type FreshEvent = OutboxEvent & {
  xid: string;
  /** Null if no webhook gets the event. */
  data: Record<string, unknown> | null;
  webhooks: readonly Candidate[];
};

/**
 * How far the relay has come. All events that are visible in the snapshot were fanned out. A very large transaction is
 * fanned out in several batches. After such a batch, `cut` contains the transaction and the number of its last event
 * that was fanned out.
 */
export type Position = { snapshot: string; cut: Cut | null };
export type Cut = { xid: string; seq: number };

export type Reading = {
  /** The stored position that this read began from. */
  stored: string;
  from: Position;
  /** The snapshot in which this read ran. */
  seen: string;
  generation: number;
  /**
   * Whether a worker of a newer version is alive. A snapshot that contains events of such a version also contains its
   * worker, because a worker registers before its node writes any event.
   */
  outranked: boolean;
  /**
   * Events in the order of their transactions. If there are more than the limit, the list contains one event beyond the
   * limit.
   */
  events: FreshEvent[];
};

/**
 * `happened` and `since` are in microseconds, as in PostgreSQL. In milliseconds, an event could seem older than it is.
 */
type Row = Omit<Reading, 'events' | 'from'> & {
  snapshot: string;
  cut_xid: string | null;
  cut_seq: number | null;
  events: (Omit<FreshEvent, 'created_at' | 'account_name' | 'webhooks'> & {
    created_at: string;
    happened: number;
    audience: number;
  })[];
  audiences: { nr: number; account_name: string | null; webhooks: (Candidate & Activity)[] | null }[];
};

/**
 * `since` is when the webhook became active, or null if it is inactive. `formerly` and `until` are its previous active
 * period, or null if there was none.
 */
type Activity = { since: number | null; formerly: number | null; until: number | null };

/**
 * A position that a node has reached without storing it, because there was nothing to do. The node continues from `to`
 * as long as the position in the database is still `stored`.
 */
export type Ahead = { stored: string; to: Position };

/**
 * Reads the events that became visible since the position, with the webhooks that may receive them, in one statement
 * and therefore in one snapshot. Webhooks are looked up once for all events with the same type, account and project,
 * because a burst mostly consists of such events.
 */
export async function readFresh(
  trx: Trx,
  { interest, ahead, limit }: { interest: Interest; ahead: Ahead | null; limit: number },
): Promise<Reading> {
  const { rows } = await sql<Row>`
    with relay as materialized (
      select snapshot, cut_xid, cut_seq, concat_ws(' ', snapshot::text, cut_xid::text, cut_seq) as stored from webhook_relay
    ), position as materialized (
      select stored, snapshot, cut_xid, cut_seq from relay where stored is distinct from ${ahead?.stored ?? null}
      union all
      select stored, ${ahead?.to.snapshot ?? null}::text::pg_snapshot, ${ahead?.to.cut?.xid ?? null}::text::xid8, ${ahead?.to.cut?.seq ?? null}::bigint
      from relay where stored = ${ahead?.stored ?? null}
    ), fresh as materialized (
      select xid, seq, id, type, account_id, project_id, for_managers, created_at, request_id, idempotency_key, data
      from events
      where xid >= (select pg_snapshot_xmin(snapshot) from position)
        and not pg_visible_in_snapshot(xid, (select snapshot from position))
        and (xid = (select cut_xid from position) and seq <= (select cut_seq from position)) is not true
        and type = any(${interest.types}::text[])
        and (select value from webhook_generation) = ${interest.generation}
      order by xid, seq limit ${limit} + 1
    ), catalogue as materialized (
      select type, entries from jsonb_to_recordset(${subscriptionEntries}::jsonb) as c(type text, entries text[])
    ), audience as materialized (
      select row_number() over () as nr, f.type, f.account_id, f.project_id, f.for_managers, recipients.webhooks
      from (
        select type, account_id, project_id, for_managers, min(created_at) as earliest, max(created_at) as latest
        from fresh group by 1, 2, 3, 4
      ) as f
      join catalogue as c on c.type = f.type
      left join lateral (
        select json_agg(json_build_object('id', w.id, 'revision', w.revision, 'open', h.paused_until is null,
          'since', case when w.active then ${microseconds('w.active_since')} end,
          'formerly', ${microseconds('lower(w.formerly_active)')}, 'until', ${microseconds('upper(w.formerly_active)')})) as webhooks
        from (
          select w.id, w.revision, w.owner_id, w.active, w.active_since, w.formerly_active, w.grant_id from webhooks as w
          where w.project_id = f.project_id and ${mayHaveBeenActive} and w.events && c.entries
            and ${isMemberOf(sql`f.project_id`, sql`w.owner_id`)}
          union all
          select w.id, w.revision, w.owner_id, w.active, w.active_since, w.formerly_active, w.grant_id from (
            ${membersOf(sql`f.project_id`)}
            union
            select id from users where f.project_id is null and (id = f.account_id or is_admin)
          ) as entitled
          join webhooks as w on w.owner_id = entitled.user_id
          where w.project_id is null and ${mayHaveBeenActive} and w.events && c.entries
            and (w.as_admin or f.project_id is not null or w.owner_id = f.account_id)
        ) as w
        join users as o on o.id = w.owner_id and (o.suspended_at is null or ${isAccountDeletion('f', 'o.id')})
        left join webhook_health as h on h.webhook_id = w.id
        where (w.grant_id is null or ${grantHolds('w.grant_id')})
          and (f.for_managers is null or f.for_managers = ${managesProject(sql`f.project_id`, sql`w.owner_id`)})
      ) as recipients on true
    )
    select position.stored, position.snapshot::text as snapshot, position.cut_xid::text as cut_xid, position.cut_seq,
      pg_current_snapshot()::text as seen,
      (select value from webhook_generation) as generation, ${newerWorkerLives} as outranked,
      coalesce((
        select json_agg(row_to_json(one) order by one.xid::xid8, one.seq) from (
          select f.xid::text as xid, f.seq, f.id, f.type, f.account_id, f.project_id, f.created_at, f.request_id,
            f.idempotency_key, case when a.webhooks is not null then f.data end as data, a.nr as audience,
            ${microseconds('f.created_at')} as happened
          -- Only equalities: by account alone, each event would be compared with all audiences of its account.
          from fresh as f join audience as a on a.type = f.type and a.account_id = f.account_id
            and coalesce(a.project_id, '') = coalesce(f.project_id, '')
            and coalesce(a.for_managers::integer, -1) = coalesce(f.for_managers::integer, -1)
        ) as one
      ), '[]') as events,
      coalesce((
        select json_agg(row_to_json(one)) from (
          select a.nr, u.name as account_name, a.webhooks from audience as a left join users as u on u.id = a.account_id
        ) as one
      ), '[]') as audiences
    from position`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error('the relay has no position');
  const { audiences, events, snapshot, cut_xid: xid, cut_seq: seq, ...reading } = row;
  const cut = xid === null || seq === null ? null : { xid, seq };
  return { ...reading, from: { snapshot, cut }, events: withAudience(events, audiences) };
}

type Time = 'w.active_since' | 'lower(w.formerly_active)' | 'upper(w.formerly_active)' | 'f.created_at';
const microseconds = (time: Time) => sql`(extract(epoch from ${sql.raw(time)}) * 1000000)::bigint`;

/** Whether the webhook may have been active at any event of the group. `wasActive` then decides for each event. */
const mayHaveBeenActive = sql`(w.active and w.active_since <= f.latest
              or w.formerly_active && tstzrange(f.earliest, f.latest, '[]'))`;

/**
 * Whether the webhook was active when the event happened. If it is inactive now, the delivery is still created and ends
 * with the reason `inactive`, so that the owner of the webhook sees what did not arrive.
 */
const wasActive = ({ since, formerly, until }: Activity, happened: number): boolean =>
  (since !== null && since <= happened) ||
  (formerly !== null && until !== null && formerly <= happened && happened <= until);

function withAudience(events: Row['events'], audiences: Row['audiences']): FreshEvent[] {
  const byNumber = new Map(audiences.map((audience) => [audience.nr, audience]));
  return events.map(({ audience: nr, happened, ...event }) => {
    const audience = byNumber.get(nr);
    return {
      ...event,
      created_at: new Date(event.created_at),
      account_name: audience?.account_name ?? null,
      webhooks: audience?.webhooks?.filter((webhook) => wasActive(webhook, happened)) ?? [],
    };
  });
}

export async function movePosition(trx: Trx, { snapshot, cut }: Position): Promise<void> {
  await sql`
    update webhook_relay set snapshot = ${snapshot}::text::pg_snapshot, cut_xid = ${cut?.xid ?? null}::text::xid8,
      cut_seq = ${cut?.seq ?? null}::bigint, moved_at = now()`.execute(trx);
}

/** Records events that could not be fanned out, and the error, for administrators. */
export async function setAside(trx: Trx, eventIds: readonly string[], error: string): Promise<void> {
  await sql`
    insert into webhook_set_aside (event_id, error) select id, ${error} from unnest(${eventIds}::text[]) as id
    on conflict do nothing`.execute(trx);
}

/**
 * Repairs the position after a restore into another server. Transaction ids belong to a server, so in the new server,
 * the ids in the restored position and events are in the future. In this case, the times of the events decide which of
 * them were handled. An event of the last minute may be sent twice rather than not at all.
 */
export async function mendPosition(trx: Trx): Promise<boolean> {
  const { rows } = await sql<{ foreign: boolean }>`
    select pg_snapshot_xmax(snapshot) > pg_snapshot_xmax(pg_current_snapshot()) as foreign from webhook_relay`.execute(
    trx,
  );
  if (!rows[0]?.foreign) return false;
  await sql`
    update events set xid = case
      when created_at > (select moved_at from webhook_relay) - interval '1 minute' then pg_current_xact_id()
      else '3'::xid8 end`.execute(trx);
  // This snapshot means that everything after transaction 3 is still to come. If the current snapshot were stored
  // instead, events that got the id of this transaction could be missed, because the transaction would count as
  // finished as soon as a later one ends before it.
  await sql`update webhook_relay set snapshot = '4:4:', cut_xid = null, cut_seq = null, moved_at = now()`.execute(trx);
  return true;
}

export type NewDelivery = RowOf<
  'webhook_deliveries',
  ['id', 'webhook_id', 'event_id', 'event_type', 'format', 'kind', 'project_id', 'place']
>;

export type NewPayload = RowWithout<'webhook_payloads'>;

export async function insertDeliveries(trx: Trx, deliveries: NewDelivery[], payloads: NewPayload[]): Promise<void> {
  await sql`
    with payloads as (
      insert into webhook_payloads (event_id, format, event_type, event_at, request_id, idempotency_key, data)
      select event_id, format, event_type, event_at, request_id, idempotency_key, data
      from json_to_recordset(${JSON.stringify(payloads)}::json) as p(event_id text, format text, event_type text,
        event_at timestamptz, request_id text, idempotency_key text, data text)
      on conflict (event_id, format) do nothing
    )
    insert into webhook_deliveries (id, webhook_id, event_id, event_type, format, kind, project_id, place)
    select id, webhook_id, event_id, event_type, format, kind, project_id, place
    from json_to_recordset(${JSON.stringify(deliveries)}::json) as d(id text, webhook_id text, event_id text,
      event_type text, format text, kind text, project_id text, place bigint)`.execute(trx);
}
