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

/** All days of the period, including days without a delivery, because a gap has to be visible. */
export function daysOf({ start_date, end_date, daily_stats }: WebhookStats): Day[] {
  const statsByDate = new Map(daily_stats.map((day) => [day.date, day]));
  const first = Math.max(Date.parse(start_date.slice(0, 10)), Date.parse(end_date.slice(0, 10)) - maxDays * dayLength);
  const days: Day[] = [];
  for (let at = first; at <= Date.parse(end_date); at += dayLength) {
    const date = new Date(at).toISOString().slice(0, 10);
    const day = statsByDate.get(date);
    const arrived = day?.successful_deliveries ?? 0;
    const failed = day?.failed_deliveries ?? 0;
    const isThere = arrived + failed > 0;
    days.push({
      date,
      arrived,
      failed,
      rate: day && isThere ? day.success_rate : null,
      average: day && day.average_response_time > 0 ? day.average_response_time : null,
    });
  }
  return days;
}
