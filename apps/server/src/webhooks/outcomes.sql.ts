import { sql } from 'kysely';
import { allRows, type Trx } from '../foundation/db/index.ts';
import { planEachTime } from '../foundation/db/prepared-statements.ts';
import { failuresBeforePause, longestPauseSeconds } from './breaker.ts';

export type Outcome = {
  delivery_id: string;
  /** Attempts made so far, this one included. */
  attempt: number;
  /** False: it ended without one. */
  made: boolean;
  status: 'success' | 'pending' | 'failed';
  reason: string | null;
  delay_ms: number;
  response_code: number | null;
  response_time: number | null;
  response_body: string | null;
  error: string | null;
  started_at: Date;
  /** The class of the response time; -1: there was none. */
  bucket: number;
  request_headers: Record<string, string>;
  response_headers: Record<string, string> | null;
};

/**
 * The outcome, the next due time, the log and the figures, in one statement. It counts only where this worker still holds
 * the delivery at that attempt: one that was given up by the others may have been sent again by now. Answers with
 * those that counted. The batch is one JSON text: as arrays, each value would be escaped by itself, headers twice.
 */
export async function storeOutcomes(trx: Trx, holder: number, outcomes: readonly Outcome[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${planEachTime}
    with outcome as materialized (
      select ${holder}::bigint as holder, delivery_id as id, attempt, attempt - made::integer as attempts_before, made,
        status, reason, delay_ms, response_code as code, response_time as ms, response_body as body, error, started_at,
        bucket, request_headers, response_headers
      from json_to_recordset(${JSON.stringify(outcomes)}::json) as o(
        delivery_id text, attempt integer, made boolean, status text, reason text, delay_ms double precision,
        response_code integer, response_time integer, response_body text, error text, started_at timestamptz,
        bucket smallint, request_headers json, response_headers json)
    ), stored as (
      update webhook_deliveries as d set
        status = o.status, reason = o.reason, attempts = o.attempt, holder = null,
        due_at = case when o.status = 'pending' then now() + o.delay_ms * interval '1 millisecond' else d.due_at end,
        response_code = case when o.made then o.code else d.response_code end,
        response_time = case when o.made then o.ms else d.response_time end,
        response_body = case when o.made then o.body else d.response_body end,
        error = o.error,
        delivered_at = case when o.made then o.started_at else d.delivered_at end,
        completed_at = case when o.status = 'pending' then null else now() end
      from outcome as o
      -- Only what is pending is held. The holder is a column of the batch, so that no condition is on the table alone: its
      -- statistics say that nothing is ever held, and with one row expected the planner goes through all pairs. For
      -- the same reason everything that follows needs is returned, and not joined again.
      where d.id = o.id and d.holder = o.holder and d.attempts = o.attempts_before
      returning d.id, d.webhook_id, d.event_type, d.status, d.created_at, o.attempt, o.made, o.started_at, o.code, o.ms,
        o.body, o.error, o.bucket, o.request_headers, o.response_headers
    ), logged as (
      insert into webhook_attempts (delivery_id, attempt, started_at, response_code, response_time, error,
        request_headers, response_headers, response_body)
      select id, attempt, started_at, code, ms, error, request_headers, response_headers, body
      from stored where made
    ), counted as (
      insert into webhook_stats as s (webhook_id, hour, event_type, status, deliveries, responses, response_ms)
      select webhook_id, date_trunc('hour', created_at, 'UTC'), event_type, status, count(*), count(ms),
        coalesce(sum(ms), 0)
      from stored where status <> 'pending'
      group by 1, 2, 3, 4
      -- Two nodes that count for the same webhooks must lock their rows in the same order.
      order by 1, 2, 3, 4
      on conflict (webhook_id, hour, event_type, status) do update
      set deliveries = s.deliveries + excluded.deliveries, responses = s.responses + excluded.responses,
        response_ms = s.response_ms + excluded.response_ms
    ), timed as (
      insert into webhook_response_times as t (webhook_id, hour, bucket, deliveries)
      select webhook_id, date_trunc('hour', created_at, 'UTC'), bucket, count(*)
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
  /** Whether anything arrived, and how many deliveries failed for good since then. */
  arrived: boolean;
  failures: number;
};

export type Health = {
  webhook_id: string;
  failures_before: number;
  failures_in_row: number;
  paused: boolean;
};

/** The figures of each webhook, and its breaker (see breaker.ts). A webhook has its row from its first outcome on. */
export async function storeHealth(trx: Trx, changes: readonly HealthChange[], pauseSeconds: number): Promise<Health[]> {
  const stored = await updateHealth(trx, changes, pauseSeconds);
  if (stored.length === changes.length) return stored;
  const storedIds = new Set(stored.map(({ webhook_id }) => webhook_id));
  const rest = changes.filter(({ webhook_id }) => !storedIds.has(webhook_id));
  // None for a webhook that was deleted in the meantime.
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
