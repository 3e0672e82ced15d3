import { sql } from 'kysely';
import { allRows, type RowOf, type Trx } from '../../foundation/db/index.ts';
import { planEachTime } from '../../foundation/db/prepared-statements.ts';
import { failuresBeforePause, longestPauseSeconds } from './breaker.ts';
import { bucketLows } from './response-histogram.ts';

export type Outcome = {
  delivery_id: string;
  /** Attempts made so far, including this one. */
  attempt: number;
  /** False if the delivery ended without an attempt. */
  made: boolean;
  status: 'success' | 'pending' | 'failed';
  reason: string | null;
  delay_ms: number;
  response_code: number | null;
  response_time: number | null;
  response_body: string | null;
  error: string | null;
  started_at: Date;
  request_headers: Record<string, string>;
  response_headers: Record<string, string> | null;
};

/** An outcome with the other values that are needed for the row of a delivery that has none yet. */
export type NewDeliveryOutcome = Outcome &
  RowOf<'webhook_deliveries', ['webhook_id', 'event_id', 'event_type', 'format', 'kind', 'project_id', 'created_at']>;

/** A holder id that no worker has, because the ids of workers start at 1. */
export const nobody = 0;

/**
 * Stores outcomes with due times, the log of attempts and the figures in one statement. An outcome counts only if this
 * worker is alive and still holds the delivery at that attempt. Otherwise, another worker may have sent the delivery
 * again. A delivery without a row gets one here, unless its row was written while the attempt was in progress. Returns
 * the ids of the deliveries whose outcome counted. The outcomes are passed as one JSON text, because with arrays, each
 * value would be escaped separately, and headers twice.
 */
export async function storeOutcomes(
  trx: Trx,
  holder: number,
  outcomes: readonly (Outcome | NewDeliveryOutcome)[],
): Promise<string[]> {
  const ids = outcomes.map(({ delivery_id }) => delivery_id).sort();
  // The condition on the range of ids lets the planner skip other partitions.
  const isOneOf = sql`d.id between ${ids[0]} and ${ids.at(-1)}`;
  const { rows } = await sql<{ id: string }>`${planEachTime}
    with worker as (
      select id from webhook_workers where id = ${holder} for key share
    ), outcome as materialized (
      select ${holder}::bigint as holder, delivery_id as id, attempt, attempt - made::integer as attempts_before, made,
        status, reason, now() + delay_ms * interval '1 millisecond' as due_at, response_code as code, response_time as ms,
        response_body as body, error, case when made then started_at end as started_at, request_headers,
        response_headers, webhook_id, event_id, event_type, format, kind, project_id, created_at
      from json_to_recordset(${JSON.stringify(outcomes)}::json) as o(
        delivery_id text, attempt integer, made boolean, status text, reason text, delay_ms double precision,
        response_code integer, response_time integer, response_body text, error text, started_at timestamptz,
        request_headers json, response_headers json, webhook_id text, event_id text, event_type text, format text,
        kind text, project_id text, created_at timestamptz)
      where ${holder}::bigint = ${nobody}::bigint or exists (select from worker)
    ), logged as (
      insert into webhook_attempts (delivery_id, attempt, started_at, response_code, response_time, error,
        request_headers, response_headers, response_body)
      select d.id, d.attempts, d.delivered_at, d.response_code, d.response_time, d.error, d.request_headers,
        d.response_headers, d.response_body
      from outcome as o join webhook_deliveries as d
        on d.id = o.id and d.holder = o.holder and d.attempts = o.attempts_before and ${isOneOf}
      where o.webhook_id is null and d.request_headers is not null
    ), updated as (
      update webhook_deliveries as d set
        status = o.status, reason = o.reason, attempts = o.attempt, holder = null,
        due_at = case when o.status = 'pending' then o.due_at else d.due_at end,
        response_code = case when o.made then o.code else d.response_code end,
        response_time = case when o.made then o.ms else d.response_time end,
        response_body = case when o.made then o.body else d.response_body end,
        error = o.error,
        delivered_at = case when o.made then o.started_at else d.delivered_at end,
        completed_at = case when o.status = 'pending' then null else now() end,
        request_headers = case when o.made then o.request_headers end,
        response_headers = case when o.made then o.response_headers end
      from outcome as o
      -- Only pending deliveries are held. The holder comes from the batch, so that no condition is on the table alone.
      -- Its statistics say that nothing is ever held. Expecting one row, the planner would compare all pairs.
      where o.webhook_id is null and d.id = o.id and d.holder = o.holder and d.attempts = o.attempts_before and ${isOneOf}
      returning d.id, d.webhook_id, d.event_type, d.status, d.created_at, o.ms
    ), inserted as (
      insert into webhook_deliveries as d (id, webhook_id, event_id, event_type, format, kind, project_id, created_at,
        status, reason, attempts, due_at, response_code, response_time, response_body, error, delivered_at, completed_at,
        request_headers, response_headers)
      select id, webhook_id, event_id, event_type, format, kind, project_id, created_at, status, reason, attempt, due_at,
        code, ms, body, error, started_at, case when status <> 'pending' then now() end,
        case when made then request_headers end, response_headers
      from outcome where webhook_id is not null order by id
      on conflict (id) do update set
        status = excluded.status, reason = excluded.reason, attempts = excluded.attempts, holder = null,
        due_at = excluded.due_at, response_code = excluded.response_code, response_time = excluded.response_time,
        response_body = excluded.response_body, error = excluded.error, delivered_at = excluded.delivered_at,
        completed_at = excluded.completed_at, request_headers = excluded.request_headers,
        response_headers = excluded.response_headers
      where d.holder = ${holder} and d.attempts = 0
      returning d.id, d.webhook_id, d.event_type, d.status, d.created_at, d.response_time as ms
    ), stored as (
      select id, webhook_id, event_type, status, created_at, ms from updated
      union all
      select id, webhook_id, event_type, status, created_at, ms from inserted
    ), counted as (
      insert into webhook_stats as s (webhook_id, hour, event_type, status, deliveries, responses, response_ms)
      select webhook_id, date_trunc('hour', created_at, 'UTC'), event_type, status, count(*), count(ms),
        coalesce(sum(ms), 0)
      from stored where status <> 'pending'
      group by 1, 2, 3, 4
      -- Nodes that update the same webhooks must lock their rows in the same order.
      order by 1, 2, 3, 4
      on conflict (webhook_id, hour, event_type, status) do update
      set deliveries = s.deliveries + excluded.deliveries, responses = s.responses + excluded.responses,
        response_ms = s.response_ms + excluded.response_ms
    ), timed as (
      insert into webhook_response_times as t (webhook_id, hour, bucket, deliveries)
      select webhook_id, date_trunc('hour', created_at, 'UTC'), width_bucket(ms, ${bucketLows}::integer[]) - 1, count(*)
      from stored where status <> 'pending' and ms is not null
      group by 1, 2, 3 order by 1, 2, 3
      on conflict (webhook_id, hour, bucket) do update set deliveries = t.deliveries + excluded.deliveries
    )
    select id from stored`.execute(trx);
  return rows.map(({ id }) => id);
}

export type HealthChange = {
  webhook_id: string;
  successful: number;
  failed: number;
  responses: number;
  response_ms: number;
  last_delivery: Date;
  /**
   * `arrived`: whether a delivery has arrived. `failures`: how many have failed permanently since the last one that
   * arrived.
   */
  arrived: boolean;
  failures: number;
};

export type Health = {
  webhook_id: string;
  failures_before: number;
  failures_in_row: number;
  paused: boolean;
};

/**
 * Updates the figures and the circuit breaker of each webhook (see breaker.ts). Its row is created with its first
 * outcome.
 */
export async function storeHealth(trx: Trx, changes: readonly HealthChange[], pauseSeconds: number): Promise<Health[]> {
  const stored = await updateHealth(trx, changes, pauseSeconds);
  if (stored.length === changes.length) return stored;
  const storedIds = new Set(stored.map(({ webhook_id }) => webhook_id));
  const rest = changes.filter(({ webhook_id }) => !storedIds.has(webhook_id));
  // A webhook that was deleted meanwhile gets no row.
  await sql`
    insert into webhook_health (webhook_id)
    select id from webhooks where id = any(${rest.map(({ webhook_id }) => webhook_id)}::text[])
    order by id on conflict do nothing`.execute(trx);
  return [...stored, ...(await updateHealth(trx, rest, pauseSeconds))];
}

function updateHealth(trx: Trx, changes: readonly HealthChange[], pauseSeconds: number): Promise<Health[]> {
  const column = <Name extends keyof HealthChange>(name: Name) => changes.map((change) => change[name]);
  const ids = column('webhook_id');
  return allRows<Health>(trx)`${planEachTime}
    with change as (
      select * from unnest(
        ${ids}::text[], ${column('successful')}::integer[], ${column('failed')}::integer[],
        ${column('responses')}::integer[], ${column('response_ms')}::bigint[], ${column('last_delivery')}::timestamptz[],
        ${column('arrived')}::boolean[], ${column('failures')}::integer[]
      ) as c(webhook_id, successful, failed, responses, response_ms, last_delivery, arrived, failures)
    ), before as materialized (
      select h.webhook_id, h.failures_in_row, h.paused_until,
        case
          when c.arrived then least(c.failures, ${failuresBeforePause})
          when h.paused_until > now() then h.failures_in_row
          else least(h.failures_in_row + c.failures, greatest(${failuresBeforePause}, h.failures_in_row + 1))
        end as failures
      from webhook_health as h join change as c using (webhook_id)
      where h.webhook_id = any(${ids}::text[])
      order by h.webhook_id for update of h
    )
    update webhook_health as h set
      successful = h.successful + c.successful, failed = h.failed + c.failed,
      responses = h.responses + c.responses, response_ms = h.response_ms + c.response_ms,
      last_delivery = greatest(h.last_delivery, c.last_delivery),
      failures_in_row = b.failures,
      paused_until = case
        when b.failures < ${failuresBeforePause} then null
        when b.failures = b.failures_in_row and not c.arrived then b.paused_until
        else now() + make_interval(secs =>
          least(${longestPauseSeconds}, ${pauseSeconds} * 2 ^ least(b.failures - ${failuresBeforePause}, 30)))
      end
    from change as c join before as b using (webhook_id)
    where h.webhook_id = c.webhook_id
    returning h.webhook_id, b.failures_in_row as failures_before, h.failures_in_row,
      coalesce(h.paused_until > now(), false) as paused`;
}
