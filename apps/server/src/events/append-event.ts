import type { EventData, EventType } from '@bottega/contract';
import { afterCommit, type Trx } from '../foundation/db/index.ts';
import type { Cause } from '../foundation/http/index.ts';
import { newId } from '../foundation/ids.ts';
import { insertEvents } from './events.sql.ts';
import { announceEvents } from './nudge.ts';

type EventOf<Type extends EventType> = {
  type: Type;
  /** The account of the event: the project's owner, or the user. */
  accountId: string;
  projectId: string | null;
  data: EventData[Type];
  /**
   * If true, only people who manage the project get the event. If false, only people who do not manage it. If absent,
   * everybody who may see the project.
   */
  forManagers?: boolean;
};

/** Data that does not match the contract's type is a compile error. */
export type NewEvent<Types extends EventType = EventType> = { [Type in Types]: EventOf<Type> }[Types];

/**
 * Writes the event into the outbox, in the transaction of the change, so that the change and its event are committed
 * together.
 */
export async function appendEvent(trx: Trx, event: NewEvent, cause: Cause): Promise<void> {
  await appendEvents(trx, [event], cause);
}

export async function appendEvents(trx: Trx, events: NewEvent[], cause: Cause): Promise<void> {
  await appendCausedEvents(
    trx,
    events.map((event) => ({ ...event, cause })),
  );
}

export type CausedEvent = NewEvent & { cause: Cause };

/** Appends events in a transaction that several requests share, each with its own cause. */
export async function appendCausedEvents(trx: Trx, events: CausedEvent[]): Promise<void> {
  if (events.length === 0) return;
  await insertEvents(
    trx,
    events.map(({ cause, ...event }) => ({
      id: newId('evt'),
      ...event,
      ...cause,
      serviceAccountId: cause.serviceAccount?.id,
    })),
  );
  afterCommit(trx, (db) => announceEvents(db, new Set(events.map(({ type }) => type))));
}
