import { deliveredName, type EventType, type WebhookFormat } from '@bottega/contract';
import { cutSnapshot } from '../events/index.ts';
import { type Db, planOnce, type Trx, transaction } from '../foundation/db/index.ts';
import { newId } from '../foundation/ids.ts';
import { type BatchedDelivery, insertBatch } from './batches.sql.ts';
import type { DeliveryJob } from './delivery-job.ts';
import { type Interest, readInterest } from './interest.sql.ts';
import { renderPayload } from './payloads.ts';
import {
  type Ahead,
  type Candidate,
  type FreshEvent,
  insertDeliveries,
  mendPosition,
  movePosition,
  type NewDelivery,
  type NewPayload,
  readFresh,
} from './relay.sql.ts';
import type { Subscriber, Subscribers } from './subscribers.ts';
import { takeTurn } from './turns.sql.ts';

type Options = {
  db: Db;
  subscribers: Subscribers;
  /** The worker in whose name deliveries may be held and sent at once; null: leave them to whoever claims them. */
  holder: () => number | null;
  room: Room;
};

/** How many more deliveries this node takes of a webhook, and of an account. */
type Room = { ofWebhook: (webhookId: string) => number; ofAccount: (accountId: string) => number };

export type FanOut = {
  /** Held by this node, and to be sent now. */
  jobs: DeliveryJob[];
  /** Webhooks with deliveries that wait to be claimed. */
  left: Set<string>;
  /** `busy`: another node is at it. `more`: there was more than one batch. `done`: everything up to now. */
  state: 'busy' | 'more' | 'done';
};

/** A position that moves although nothing was delivered need not be written each time. */
const moveEveryMs = 5_000;
/** So many at once that the lanes do not run dry while the next batch is on its way: that takes six round trips. */
const mostEvents = 1_000;
/** A batch makes about so many deliveries, however many webhooks an event has. */
const deliveriesPerBatch = 2_000;

export type Relay = ReturnType<typeof createRelay>;

/**
 * Fans the outbox out: reads what has become visible since the last time, makes a delivery for each webhook that gets
 * it, and moves the position, in one transaction. Nothing is sent before that has committed. A process that ends at any
 * moment has either done all of it or nothing.
 */
export function createRelay({ db, subscribers, holder, room }: Options) {
  let interest: Interest | null = null;
  let ahead: Ahead | null = null;
  let movedAt = 0;
  let perEvent = 1;

  async function fanOut(trx: Trx, believed: Interest): Promise<FanOut | 'stale'> {
    await planOnce(trx);
    const turn = await takeTurn(trx, 'fanOut', holder());
    if (turn === null) return { ...nothing(), state: 'busy' };
    const limit = Math.max(10, Math.min(mostEvents, Math.floor(deliveriesPerBatch / perEvent)));
    const { from, seen, generation, outranked, events } = await readFresh(trx, { interest: believed, ahead, limit });
    if (outranked) return { ...nothing(), state: 'done' };
    if (generation !== believed.generation) return 'stale';
    const more = events.length >= limit;
    const since = ahead?.from === from ? ahead.to : from;
    const to = more ? cutSnapshot(seen, lastXid(events) + 1n, since) : seen;
    const batch = await matchAll(trx, events, turn.holder);
    const made = batch.deliveries.length + batch.held.length;
    if (made > 0) {
      perEvent = Math.max(1, made / events.length);
      await insertDeliveries(trx, batch.deliveries, batch.payloads);
    }
    if (made > 0 || Date.now() - movedAt > moveEveryMs) {
      await movePosition(trx, to);
      movedAt = Date.now();
      ahead = null;
    } else ahead = { from, to };
    return { jobs: await heldJobs(trx, batch), left: batch.left, state: more ? 'more' : 'done' };
  }

  async function matchAll(trx: Trx, events: readonly FreshEvent[], name: number | null): Promise<Batch> {
    const wanted = new Map<string, Candidate>();
    for (const { webhooks } of events) for (const webhook of webhooks) wanted.set(webhook.id, webhook);
    const batch = openBatch(name, room);
    if (wanted.size === 0) return batch;
    const byId = await subscribers.load(trx, [...wanted.values()]);
    for (const event of events) {
      for (const { id, open } of event.webhooks) {
        const subscriber = byId.get(id);
        if (subscriber) addDelivery(batch, event, subscriber, open);
      }
    }
    return batch;
  }

  return {
    /** Once before the first run. */
    mend: () =>
      transaction(db, async (trx) => {
        if (await takeTurn(trx, 'fanOut', null)) await mendPosition(trx);
      }),
    async run(): Promise<FanOut> {
      for (;;) {
        const believed = interest ?? (await readInterest(db));
        interest = believed;
        const before = ahead;
        const result = await transaction(db, (trx) => fanOut(trx, believed)).catch((error: unknown) => {
          ahead = before;
          throw error;
        });
        if (result !== 'stale') return result;
        interest = null;
      }
    },
    forgetInterest() {
      interest = null;
    },
    // Not knowing counts as yes.
    isWanted: (types: ReadonlySet<EventType>) => interest === null || interest.types.some((type) => types.has(type)),
  };
}

/** What goes out at once: it has no row before it has an outcome. */
type Held = { delivery: BatchedDelivery; job: Omit<DeliveryJob, 'holder' | 'batch'> };

type Batch = {
  holder: number | null;
  room: Room;
  deliveries: NewDelivery[];
  payloads: NewPayload[];
  held: Held[];
  left: Set<string>;
  /** By webhook, and by account. */
  taken: Map<string, number>;
  rendered: Map<string, string>;
};

const nothing = () => ({ jobs: [], left: new Set<string>() });
const openBatch = (holder: number | null, room: Batch['room']): Batch => ({
  holder,
  room,
  deliveries: [],
  payloads: [],
  held: [],
  left: new Set(),
  taken: new Map(),
  rendered: new Map(),
});

function lastXid(events: readonly FreshEvent[]): bigint {
  return events.reduce((most, { xid }) => (BigInt(xid) > most ? BigInt(xid) : most), 0n);
}

function addDelivery(batch: Batch, event: FreshEvent, subscriber: Subscriber, isOpen: boolean): void {
  const name = deliveredName(event.type, subscriber.format, subscriber.events);
  const { data } = event;
  if (name === null || data === null || !subscriber.wants({ project_id: event.project_id, data })) return;
  const { id, ownerId } = subscriber;
  const taken = { webhook: batch.taken.get(id) ?? 0, account: batch.taken.get(ownerId) ?? 0 };
  const hasRoom = batch.room.ofWebhook(id) > taken.webhook && batch.room.ofAccount(ownerId) > taken.account;
  // In order means one after the other over all nodes: the claim sees to that.
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

async function heldJobs(trx: Trx, { holder, held }: Batch): Promise<DeliveryJob[]> {
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

/** Once for an event and a format, however many deliveries carry it. */
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
