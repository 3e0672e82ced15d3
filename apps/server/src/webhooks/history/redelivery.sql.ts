import { deliveredName, typesOf } from '@bottega/contract';
import { sql } from 'kysely';
import { createPace } from '../../foundation/concurrency/pace.ts';
import { allRows, type Trx } from '../../foundation/db/index.ts';
import { invalid } from '../../foundation/http/index.ts';
import { newId } from '../../foundation/ids.ts';
import { isMemberOf, managesProject } from '../../projects/access/index.ts';
import {
  insertDeliveries,
  type NewDelivery,
  type NewPayload,
  type OutboxEvent,
  renderPayload,
} from '../fan-out/index.ts';
import { compileFilters, type WebhookRow } from '../subscriptions/index.ts';

/** Creates a delivery with the event, name and payload of an earlier one. Null if the earlier one does not exist. */
export async function createRedelivery(
  trx: Trx,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
): Promise<{ id: string; event_type: string; status: 'pending' | 'success' | 'failed'; due_at: Date } | null> {
  const { rows } = await sql<{ id: string; event_type: string; status: 'pending'; due_at: Date }>`
    insert into webhook_deliveries (id, webhook_id, event_id, event_type, format, kind, original_delivery_id, project_id)
    select ${newId('dlv')}, webhook_id, event_id, event_type, format, 'redelivery', id, project_id
    from webhook_deliveries where id = ${deliveryId} and webhook_id = ${webhookId}
    returning id, event_type, status, due_at`.execute(trx);
  return rows[0] ?? null;
}

type Failed = { webhookId: string; since: Date | null; until: Date; eventType: string | null };

/**
 * Redelivers each event of the period that has failed, unless another delivery of it has arrived or is pending. Tests
 * are left out.
 */
export async function redeliverFailed(trx: Trx, { webhookId, since, until, eventType }: Failed): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select distinct on (d.event_id) d.id from webhook_deliveries as d
    where d.webhook_id = ${webhookId} and d.status = 'failed' and d.kind <> 'test'
      and d.created_at >= ${since ?? new Date(0)} and d.created_at <= ${until}
      and (${eventType}::text is null or d.event_type = ${eventType})
      and not exists (
        select from webhook_deliveries as other
        where other.event_id = d.event_id and other.webhook_id = d.webhook_id and other.status <> 'failed'
      )
    order by d.event_id, d.created_at limit ${maxAtOnce}`.execute(trx);
  if (rows.length === 0) return 0;
  await sql`
    insert into webhook_deliveries (id, webhook_id, event_id, event_type, format, kind, original_delivery_id, project_id)
    select given.new_id, d.webhook_id, d.event_id, d.event_type, d.format, 'redelivery', d.id, d.project_id
    from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(() => newId('dlv'))}::text[]) as given(id, new_id)
    join webhook_deliveries as d on d.id = given.id`.execute(trx);
  return rows.length;
}

/** Maximum number of deliveries that one request creates. A further request creates the next ones. */
const maxAtOnce = 10_000;

/**
 * Maximum number of steps of matching path patterns in one request. They take some seconds, during which the request
 * occupies a database connection.
 */
const maxSteps = 200_000_000;

type Recovered = Pick<
  WebhookRow,
  'id' | 'owner_id' | 'project_id' | 'as_admin' | 'format' | 'events' | 'filters' | 'ordered'
>;

type MissedEvent = OutboxEvent & { data: Record<string, unknown> };

/**
 * Creates deliveries for the events of a period that the webhook subscribes to and its owner may see, except for events
 * of which a delivery has arrived or is pending.
 */
export async function createRecoveries(
  trx: Trx,
  { webhook, since, until }: { webhook: Recovered; since: Date; until: Date },
): Promise<number> {
  const filter = compileFilters(webhook.filters);
  const pace = createPace();
  let made = 0;
  let after = 0;
  let steps = 0;
  while (made < maxAtOnce) {
    const events = await missedEvents(trx, { webhook, since, until, after });
    const last = events.at(-1);
    if (!last) break;
    after = last.seq;
    const deliveries: NewDelivery[] = [];
    const payloads: NewPayload[] = [];
    for (const event of events) {
      await pace.maybeYield();
      steps += filter.costOf(event);
      if (steps > maxSteps) throw invalid('since', 'is too far back for the path filters of this webhook');
      const name = deliveredName(event.type, webhook.format, webhook.events);
      if (name === null || !filter.passes(event)) continue;
      const { format } = webhook;
      payloads.push(renderPayload(event, format));
      deliveries.push({
        id: newId('dlv'),
        webhook_id: webhook.id,
        event_id: event.id,
        event_type: name,
        format,
        kind: 'recovery',
        project_id: event.project_id,
        place: webhook.ordered ? event.seq : null,
      });
    }
    if (deliveries.length > 0) await insertDeliveries(trx, deliveries, payloads);
    made += deliveries.length;
  }
  return made;
}

function missedEvents(
  trx: Trx,
  { webhook, since, until, after }: { webhook: Recovered; since: Date; until: Date; after: number },
): Promise<MissedEvent[]> {
  return allRows<MissedEvent>(trx)`
    select e.seq, e.id, e.type, e.account_id, u.name as account_name, e.project_id, e.data, e.created_at, e.request_id,
      e.idempotency_key
    from events as e left join users as u on u.id = e.account_id
    where e.created_at >= ${since} and e.created_at <= ${until} and e.seq > ${after}
      and e.type = any(${typesOf(webhook.events)}::text[])
      and (${webhook.project_id}::text is null or e.project_id = ${webhook.project_id})
      and case when e.project_id is null
        then e.account_id = ${webhook.owner_id}
          or (${webhook.as_admin} and (select is_admin from users where id = ${webhook.owner_id}))
        else ${isMemberOf(sql`e.project_id`, sql`${webhook.owner_id}`)} end
      and (e.for_managers is null or e.for_managers = ${managesProject(sql`e.project_id`, sql`${webhook.owner_id}`)})
      and not exists (
        select from webhook_deliveries as d
        where d.event_id = e.id and d.webhook_id = ${webhook.id} and d.status <> 'failed'
      )
    order by e.seq limit 500`;
}
