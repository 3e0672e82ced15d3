import type { WebhookStats } from '@bottega/contract';

export type Day = { date: string; arrived: number; failed: number; rate: number | null; average: number | null };

const dayLength = 86_400_000;
/**
 * Maximum number of days. With more, a bar would be thinner than a pixel, and the API stores figures for a shorter
 * time.
 */
const maxDays = 400;

/** Whether any delivery was answered. If none was, there is no response time, and the API returns 0. */
export const isAnswered = ({ overall_stats: { average_response_time, p95_response_time } }: WebhookStats): boolean =>
  average_response_time > 0 || p95_response_time > 0;

type Settled = { successful_deliveries: number; failed_deliveries: number; success_rate: number };

/** Null if no delivery has succeeded or failed. In that case, the API returns 0. */
export const rateOf = ({ successful_deliveries, failed_deliveries, success_rate }: Settled): number | null =>
  successful_deliveries + failed_deliveries > 0 ? success_rate : null;

/** All days of the period, including days without a delivery, because a gap has to be visible. */
export function daysOf({ start_date, end_date, daily_stats }: WebhookStats): Day[] {
  const statsByDate = new Map(daily_stats.map((day) => [day.date, day]));
  const first = Math.max(Date.parse(start_date.slice(0, 10)), Date.parse(end_date.slice(0, 10)) - maxDays * dayLength);
  const days: Day[] = [];
  for (let at = first; at <= Date.parse(end_date); at += dayLength) {
    const date = new Date(at).toISOString().slice(0, 10);
    const day = statsByDate.get(date);
    days.push({
      date,
      arrived: day?.successful_deliveries ?? 0,
      failed: day?.failed_deliveries ?? 0,
      rate: day ? rateOf(day) : null,
      average: day && day.average_response_time > 0 ? day.average_response_time : null,
    });
  }
  return days;
}
