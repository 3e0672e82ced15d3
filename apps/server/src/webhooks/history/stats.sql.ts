import { sql } from 'kysely';
import { allRows, type Queries } from '../../foundation/db/index.ts';
import { bucketLows } from '../delivery/index.ts';

/** The period is [from, to). A null `eventType` means all types. */
export type Counted = { webhookId: string; eventType: string | null; from: Date; to: Date };

export type CountRow = {
  day: string;
  event_type: string;
  status: 'success' | 'failed' | 'pending';
  deliveries: number;
  responses: number;
  response_ms: number;
};

/**
 * Counts deliveries by day, name and status in one snapshot. Completed deliveries of whole hours are counted by the
 * rollup, and those of partial hours by reading the deliveries. So the result is exact for any period, and fast for any
 * number of deliveries. Pending deliveries are few and have their own index.
 */
export function countByStatus(db: Queries, { webhookId, eventType, from, to }: Counted): Promise<CountRow[]> {
  const { firstHour, lastHour, firstEnd } = hoursOf(from, to);
  return allRows<CountRow>(db)`
    with counted as (
      select hour as at, event_type, status, deliveries, responses, response_ms
      from webhook_stats
      where webhook_id = ${webhookId} and hour >= ${firstHour} and hour < ${lastHour}
      union all
      ${completed(webhookId, from, firstEnd)}
      union all
      ${completed(webhookId, lastHour, to)}
      union all
      select created_at, event_type, status, 1, 0, 0
      from webhook_deliveries
      where webhook_id = ${webhookId} and status = 'pending' and created_at >= ${from} and created_at < ${to}
    ), days as (
      select date_trunc('day', at, 'UTC') as day, event_type, status, sum(deliveries)::bigint as deliveries,
        sum(responses)::bigint as responses, sum(response_ms)::bigint as response_ms
      from counted where ${eventType}::text is null or event_type = ${eventType}
      group by 1, 2, 3
    )
    select to_char(day at time zone 'UTC', 'YYYY-MM-DD') as day, event_type, status, deliveries, responses, response_ms
    from days order by 1, 2`;
}

/**
 * Whether the response time of a delivery counts, as in the rollup. A delivery that ended without a last attempt still
 * has the response time of its previous attempt, which does not count.
 */
const wasAnswered = sql`(response_time is not null and coalesce(reason, '') not in ('inactive', 'no_access'))`;

/** Selects the completed deliveries of less than an hour, through the index that is also used for lists. */
const completed = (webhookId: string, from: Date, to: Date) => sql`
  select created_at, event_type, status, 1,
    case when ${wasAnswered} then 1 else 0 end, case when ${wasAnswered} then response_time else 0 end
  from webhook_deliveries
  where webhook_id = ${webhookId} and status <> 'pending' and created_at >= ${from} and created_at < ${to}`;

/** Counts response times by bucket. Whole and partial hours are counted as in `countByStatus`. */
export async function countResponseTimes(
  db: Queries,
  { webhookId, from, to }: Omit<Counted, 'eventType'>,
): Promise<Map<number, number>> {
  const { firstHour, lastHour, firstEnd } = hoursOf(from, to);
  const { rows } = await sql<{ bucket: number; deliveries: number }>`
    select bucket, sum(deliveries)::bigint as deliveries
    from (
      select bucket, deliveries from webhook_response_times
      where webhook_id = ${webhookId} and hour >= ${firstHour} and hour < ${lastHour}
      union all
      ${timed(webhookId, from, firstEnd)}
      union all
      ${timed(webhookId, lastHour, to)}
    ) as counted
    group by bucket`.execute(db);
  return new Map(rows.map(({ bucket, deliveries }) => [bucket, deliveries]));
}

const timed = (webhookId: string, from: Date, to: Date) => sql`
  select width_bucket(response_time, ${bucketLows}::integer[]) - 1, 1
  from webhook_deliveries
  where webhook_id = ${webhookId} and status <> 'pending' and ${wasAnswered}
    and created_at >= ${from} and created_at < ${to}`;

const hour = 3_600_000;

/**
 * Splits a period. Whole hours are [firstHour, lastHour). The rest is [from, firstEnd) before them and [lastHour, to)
 * after them.
 */
function hoursOf(from: Date, to: Date): { firstHour: Date; lastHour: Date; firstEnd: Date } {
  const firstHour = new Date(Math.ceil(from.getTime() / hour) * hour);
  const lastHour = new Date(Math.max(firstHour.getTime(), Math.floor(to.getTime() / hour) * hour));
  return { firstHour, lastHour, firstEnd: firstHour < to ? firstHour : to };
}
