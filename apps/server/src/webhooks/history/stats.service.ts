import type { DeliveryList, WebhookStats, WebhookStatsQuery } from '@bottega/contract';
import { type Db, inSnapshot, type Queries } from '../../foundation/db/index.ts';
import type { Principal } from '../../foundation/http/index.ts';
import { percentileOf } from '../delivery/index.ts';
import { writeWebhookDown } from '../queue/index.ts';
import { averageOf, manageableWebhook, percentOf } from '../subscriptions/index.ts';
import { periodOf } from './period.ts';
import { type Counted, type CountRow, countByStatus, countResponseTimes } from './stats.sql.ts';

const day = 86_400_000;
const lengths: Record<WebhookStatsQuery['period'], number> = {
  hour: day / 24,
  day,
  week: 7 * day,
  month: 30 * day,
};

type Sums = { success: number; failed: number; pending: number; responses: number; response_ms: number };

export async function readStats(
  db: Db,
  principal: Principal,
  webhookId: string,
  query: WebhookStatsQuery,
): Promise<WebhookStats> {
  await manageableWebhook(db, principal, webhookId);
  await writeWebhookDown(db, webhookId);
  const { period } = query;
  const end = query.end_date ?? new Date().toISOString();
  const { to } = periodOf({ end_date: end });
  const last = new Date(to.getTime() - 1);
  const start = query.start_date ?? new Date(last.getTime() - lengths[period]).toISOString();
  const { from } = periodOf({ start_date: start, end_date: end });
  // A period that ends now is extended to the end of the hour, because the rollup has whole hours and there is no data
  // after now.
  const until = query.end_date === undefined ? endOfHour(to) : to;
  const [rows, times] = await inSnapshot(db, async (trx) => [
    await countByStatus(trx, { webhookId, eventType: null, from, to: until }),
    await countResponseTimes(trx, { webhookId, from, to: until }),
  ]);
  const overall = sumsOf(rows);
  const rate = percentOf(overall.success, overall.failed);
  const average = averageOf(overall.response_ms, overall.responses);
  return {
    webhook_id: webhookId,
    period,
    start_date: from.toISOString(),
    end_date: last.toISOString(),
    success_rate: rate,
    avg_response_time: average,
    total_events: totalOf(overall),
    failed_events: overall.failed,
    overall_stats: {
      ...countsOf(overall),
      pending_deliveries: overall.pending,
      success_rate: rate,
      average_response_time: average,
      median_response_time: percentileOf(times, 0.5),
      p95_response_time: percentileOf(times, 0.95),
      p99_response_time: percentileOf(times, 0.99),
    },
    daily_stats: withEmptyDays(byKey('day', rows), from, last).map(([date, sums]) => ({
      date,
      ...countsOf(sums),
      success_rate: percentOf(sums.success, sums.failed),
      average_response_time: averageOf(sums.response_ms, sums.responses),
    })),
    event_type_stats: byKey('event_type', rows).map(([event_type, sums]) => ({
      event_type,
      ...countsOf(sums),
      success_rate: percentOf(sums.success, sums.failed),
    })),
  };
}

/** The figures for a list of deliveries. */
export async function countDeliveries(db: Queries, counted: Counted): Promise<DeliveryList['stats']> {
  const sums = sumsOf(await countByStatus(db, counted));
  return { ...countsOf(sums), pending_deliveries: sums.pending, success_rate: percentOf(sums.success, sums.failed) };
}

const endOfHour = (time: Date): Date => new Date(Math.ceil(time.getTime() / (day / 24)) * (day / 24));

function sumsOf(rows: readonly CountRow[]): Sums {
  const sums: Sums = { success: 0, failed: 0, pending: 0, responses: 0, response_ms: 0 };
  for (const row of rows) {
    sums[row.status] += row.deliveries;
    sums.responses += row.responses;
    sums.response_ms += row.response_ms;
  }
  return sums;
}

function byKey(key: 'day' | 'event_type', rows: readonly CountRow[]): [string, Sums][] {
  const own = [...Map.groupBy(rows, (row) => row[key])].map(([value, its]): [string, Sums] => [value, sumsOf(its)]);
  return own.sort(([one], [other]) => (one < other ? -1 : 1));
}

/**
 * Maximum number of listed days without a delivery. Only the last year of the period is filled with such days, because
 * a period may begin in 1970.
 */
const maxEmptyDays = 366;

function withEmptyDays(days: readonly [string, Sums][], from: Date, last: Date): [string, Sums][] {
  const sums = new Map(days);
  const end = Math.min(last.getTime(), Date.now());
  for (let at = end, left = maxEmptyDays; at > from.getTime() - day && left > 0; at -= day, left--) {
    const date = dateOf(at);
    if (date >= dateOf(from.getTime()) && !sums.has(date)) sums.set(date, sumsOf([]));
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1));
}

const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

const totalOf = ({ success, failed, pending }: Sums): number => success + failed + pending;

const countsOf = (sums: Sums) => ({
  total_deliveries: totalOf(sums),
  successful_deliveries: sums.success,
  failed_deliveries: sums.failed,
});
