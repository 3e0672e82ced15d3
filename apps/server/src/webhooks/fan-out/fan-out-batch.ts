import { deliveredName, type WebhookFormat } from '@bottega/contract';
import type { Trx } from '../../foundation/db/index.ts';
import { newId } from '../../foundation/ids.ts';
import { type BatchedDelivery, type DeliveryJob, insertBatch } from '../queue/index.ts';
import type { Recipient } from './matching.ts';
import { renderPayload } from './payloads.ts';
import type { FreshEvent, NewDelivery, NewPayload } from './relay.sql.ts';

/** The number of free slots on this node for a webhook and for an account. */
export type Room = { ofWebhook: (webhookId: string) => number; ofAccount: (accountId: string) => number };

/** A delivery that is sent immediately. Its row is created with its outcome. */
type Held = { delivery: BatchedDelivery; job: Omit<DeliveryJob, 'holder' | 'batch'> };

export type Batch = {
  holder: number | null;
  room: Room;
  deliveries: NewDelivery[];
  payloads: NewPayload[];
  held: Held[];
  left: Set<string>;
  /** Number of deliveries by webhook and by account. */
  taken: Map<string, number>;
  rendered: Map<string, string>;
};

export const openBatch = (holder: number | null, room: Batch['room']): Batch => ({
  holder,
  room,
  deliveries: [],
  payloads: [],
  held: [],
  left: new Set(),
  taken: new Map(),
  rendered: new Map(),
});

/** Adds a delivery for an event that passes the webhook's filters. */
export function addDelivery(batch: Batch, { event, subscriber, isOpen }: Recipient): void {
  const name = deliveredName(event.type, subscriber.format, subscriber.events);
  const { data } = event;
  if (name === null || data === null) return;
  const { id, ownerId } = subscriber;
  const taken = { webhook: batch.taken.get(id) ?? 0, account: batch.taken.get(ownerId) ?? 0 };
  const hasRoom = batch.room.ofWebhook(id) > taken.webhook && batch.room.ofAccount(ownerId) > taken.account;
  // Ordered deliveries must be sent one after the other across all nodes. Only a claim can ensure this, so they are not
  // held here.
  const isHeld = batch.holder !== null && isOpen && !subscriber.ordered && hasRoom;
  const { format } = subscriber;
  const delivery = { id: newId('dlv'), webhook_id: id, event_id: event.id, event_type: name, format };
  const text = renderedData(batch, { ...event, data }, format);
  if (!isHeld) {
    const place = subscriber.ordered ? event.seq : null;
    batch.deliveries.push({ ...delivery, kind: 'event', project_id: event.project_id, place });
    batch.left.add(id);
    return;
  }
  batch.taken.set(id, taken.webhook + 1).set(ownerId, taken.account + 1);
  batch.held.push({
    delivery: { ...delivery, project_id: event.project_id },
    job: {
      id: delivery.id,
      webhookId: id,
      accountId: ownerId,
      eventId: event.id,
      name,
      format,
      attempt: 1,
      run: null,
      verdict: null,
      payload: {
        data: text,
        eventAt: event.created_at,
        requestId: event.request_id,
        idempotencyKey: event.idempotency_key,
      },
    },
  });
}

export async function heldJobs(trx: Trx, { holder, held }: Batch): Promise<DeliveryJob[]> {
  if (holder === null || held.length === 0) return [];
  const { id, created_at: createdAt } = await insertBatch(
    trx,
    holder,
    held.map(({ delivery }) => delivery),
  );
  return held.map(({ job, delivery }) => ({
    ...job,
    holder,
    batch: { id, createdAt, projectId: delivery.project_id },
  }));
}

/** Renders the data once per event and format, however many deliveries carry it. */
function renderedData(
  { rendered, payloads }: Batch,
  event: FreshEvent & { data: Record<string, unknown> },
  format: WebhookFormat,
): string {
  const key = `${format} ${event.id}`;
  const text = rendered.get(key);
  if (text !== undefined) return text;
  const payload = renderPayload(event, format);
  rendered.set(key, payload.data);
  payloads.push(payload);
  return payload.data;
}
