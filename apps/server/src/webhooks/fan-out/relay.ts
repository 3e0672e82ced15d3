import type { EventType } from '@bottega/contract';
import { cutSnapshot } from '../../events/index.ts';
import { createCaution } from '../../foundation/concurrency/caution.ts';
import { type Db, planOnce, type Trx, transaction } from '../../foundation/db/index.ts';
import { type DeliveryJob, takeTurn } from '../queue/index.ts';
import { addDelivery, heldJobs, openBatch, type Room } from './fan-out-batch.ts';
import { type Interest, readInterest } from './interest.sql.ts';
import { createMatching, type Recipient } from './matching.ts';
import {
  type Ahead,
  type Candidate,
  type FreshEvent,
  insertDeliveries,
  mendPosition,
  movePosition,
  type Position,
  type Reading,
  readFresh,
  setAside,
} from './relay.sql.ts';
import type { Subscribers } from './subscribers.ts';

type Options = {
  db: Db;
  subscribers: Subscribers;
  /**
   * The id under which this node holds new deliveries, to send them immediately. Null if it must not hold any, so that
   * a worker claims them later.
   */
  holder: () => number | null;
  room: Room;
  /** Called if the filters of a webhook exceed its account's limit, so that it does not receive the rest of a batch. */
  onExhausted: (webhookId: string) => Promise<void>;
  /** Called if this event could not be fanned out and is skipped. */
  onSetAside: (eventId: string, reason: string) => void;
};

export type FanOut = {
  /** Deliveries that this node holds and sends now. */
  jobs: DeliveryJob[];
  /** Webhooks with deliveries that wait for a claim. */
  left: Set<string>;
  /**
   * `busy` means that another node has the turn, `more` that there is more than one batch, and `done` that everything
   * up to now was fanned out.
   */
  state: 'busy' | 'more' | 'done';
};

/** If the position moves without any delivery, it is stored only at this interval. */
const moveEveryMs = 5_000;
/**
 * Maximum number of events in a batch. So many events keep the lanes busy during the next read, which takes six round
 * trips.
 */
const maxEvents = 1_000;
/** Approximate number of deliveries that a batch creates, however many webhooks an event has. */
const deliveriesPerBatch = 2_000;
const maxDeliveries = 2 * deliveriesPerBatch;

export type Relay = ReturnType<typeof createRelay>;

/**
 * Fans out the outbox. In one transaction, it reads newly visible events, creates a delivery for each webhook that
 * receives them, and moves the position. Deliveries are sent only after the commit. If a process ends at any time, it
 * has done either all of this or nothing.
 */
export function createRelay({ db, subscribers, holder, room, onExhausted, onSetAside }: Options) {
  let interest: Interest | null = null;
  let ahead: Ahead | null = null;
  let movedAt = 0;
  let perEvent = 1;
  const matching = createMatching();
  const caution = createCaution(maxEvents);

  async function fanOut(trx: Trx, believed: Interest): Promise<FanOut | 'stale' | { undecided: Recipient[] }> {
    await planOnce(trx);
    const turn = await takeTurn(trx, 'fanOut', holder());
    if (turn === null) return { ...nothing(), state: 'busy' };
    const limit = Math.min(caution.size(), Math.max(10, Math.floor(deliveriesPerBatch / perEvent)));
    const reading = await readFresh(trx, { interest: believed, ahead, limit });
    if (reading.outranked) return { ...nothing(), state: 'done' };
    if (reading.generation !== believed.generation) return 'stale';
    const events = withinBatch(reading.events.slice(0, limit));
    const state = events.length < reading.events.length ? 'more' : 'done';
    if (caution.isHopeless()) return leaveOut(trx, reading, events, state);
    const recipients = await recipientsOf(trx, subscribers, events);
    const undecided = matching.tooMuch(recipients);
    if (undecided.length > 0) return { undecided };
    const batch = openBatch(turn.holder, room);
    for (const recipient of recipients) if (matching.passes(recipient)) addDelivery(batch, recipient);
    const made = batch.deliveries.length + batch.held.length;
    if (made > 0) {
      perEvent = Math.max(1, made / events.length);
      await insertDeliveries(trx, batch.deliveries, batch.payloads);
    }
    await moveOn(trx, reading, events, made > 0);
    return { jobs: await heldJobs(trx, batch), left: batch.left, state };
  }

  /** Skips an event that failed repeatedly in a separate batch, so that the others can continue. */
  async function leaveOut(trx: Trx, reading: Reading, events: FreshEvent[], state: FanOut['state']): Promise<FanOut> {
    await setAside(
      trx,
      events.map(({ id }) => id),
      caution.reason(),
    );
    await moveOn(trx, reading, events, true);
    for (const { id } of events) onSetAside(id, caution.reason());
    return { ...nothing(), state };
  }

  async function moveOn(trx: Trx, reading: Reading, events: readonly FreshEvent[], mustStay: boolean): Promise<void> {
    const to = positionAfter(reading, events);
    if (mustStay || Date.now() - movedAt > moveEveryMs) {
      await movePosition(trx, to);
      movedAt = Date.now();
      ahead = null;
    } else ahead = { stored: reading.stored, to };
  }

  async function attempt(): Promise<FanOut | null> {
    const believed = interest ?? (await readInterest(db));
    interest = believed;
    const before = ahead;
    const result = await transaction(db, (trx) => fanOut(trx, believed)).catch((error: unknown) => {
      ahead = before;
      caution.failed(error);
      throw error;
    });
    if (result === 'stale') interest = null;
    else if ('undecided' in result) for (const id of await matching.decide(result.undecided)) await onExhausted(id);
    else return result;
    return null;
  }

  return {
    /** Call this once before the first run. */
    mend: () =>
      transaction(db, async (trx) => {
        if (await takeTurn(trx, 'fanOut', null)) await mendPosition(trx);
      }),
    async run(): Promise<FanOut> {
      for (;;) {
        const result = await attempt();
        if (result === null) continue;
        matching.forget();
        if (result.state !== 'busy') caution.worked();
        return result;
      }
    },
    forgetInterest() {
      interest = null;
    },
    // This is true if the interest is not known yet.
    isWanted: (types: ReadonlySet<EventType>) => interest === null || interest.types.some((type) => types.has(type)),
  };
}

async function recipientsOf(trx: Trx, subscribers: Subscribers, events: readonly FreshEvent[]): Promise<Recipient[]> {
  const wanted = new Map<string, Candidate>();
  for (const { webhooks } of events) for (const webhook of webhooks) wanted.set(webhook.id, webhook);
  if (wanted.size === 0) return [];
  const byId = await subscribers.load(trx, [...wanted.values()]);
  return events.flatMap((event) =>
    event.webhooks.flatMap(({ id, open: isOpen }) => {
      const subscriber = byId.get(id);
      return subscriber ? [{ event, subscriber, isOpen }] : [];
    }),
  );
}

const nothing = () => ({ jobs: [], left: new Set<string>() });

/** Returns as many of the events as fit into a batch because of their deliveries, but at least one. */
function withinBatch(events: FreshEvent[]): FreshEvent[] {
  let deliveries = 0;
  const end = events.findIndex(({ webhooks }, index) => {
    deliveries += webhooks.length;
    return index > 0 && deliveries > maxDeliveries;
  });
  return end < 0 ? events : events.slice(0, end);
}

/**
 * Returns the position after everything that was read or, if some events do not fit into the batch, the position before
 * the first of them.
 */
function positionAfter({ seen, from, events: read }: Reading, events: readonly FreshEvent[]): Position {
  const [last, next] = [events.at(-1), read[events.length]];
  if (!last || !next) return { snapshot: seen, cut: null };
  const xid = BigInt(last.xid);
  if (next.xid === last.xid) {
    return { snapshot: cutSnapshot(seen, xid, from.snapshot), cut: { xid: last.xid, seq: last.seq } };
  }
  const isCutLater = from.cut !== null && BigInt(from.cut.xid) > xid;
  return { snapshot: cutSnapshot(seen, xid + 1n, from.snapshot), cut: isCutLater ? from.cut : null };
}
