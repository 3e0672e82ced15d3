import { sql } from 'kysely';
import type { Queries } from '../../foundation/db/index.ts';

export async function countPending(db: Queries): Promise<number> {
  const { rows } = await sql<{ pending: number }>`
    select count(*) as pending from webhook_deliveries where status = 'pending'`.execute(db);
  return rows[0]?.pending ?? 0;
}

/**
 * Figures of the queue for monitoring, such as the number of pending deliveries, and how long the first due delivery
 * has been waiting.
 */
type DeliveryQueue = { pending: number; overdue_seconds: number; webhooks_disabled: number; events_set_aside: number };

export async function readDeliveryQueue(db: Queries): Promise<DeliveryQueue> {
  const { rows } = await sql<DeliveryQueue>`
    select count(*) as pending,
      greatest(0, coalesce(extract(epoch from now() - min(due_at)), 0))::float8 as overdue_seconds,
      (select count(*) from webhooks where disabled_at is not null) as webhooks_disabled,
      (select count(*) from webhook_set_aside) as events_set_aside
    from webhook_deliveries where status = 'pending'`.execute(db);
  return rows[0] ?? { pending: 0, overdue_seconds: 0, webhooks_disabled: 0, events_set_aside: 0 };
}
