import type { EventData, EventType } from '@bottega/contract';
import { afterCommit, type Trx } from '../foundation/db/index.ts';
import type { Cause } from '../foundation/http/index.ts';
import { newId } from '../foundation/ids.ts';
import { insertEvents } from './events.sql.ts';
import { announceEvents } from './nudge.ts';

type EventOf<Type extends EventType> = {
  type: Type;
  /** Whose event it is: a project's owner, or the user themselves. */
  accountId: string;
  projectId: string | null;
  data: EventData[Type];
  /** True: for those who manage the project. False: for those who only read it. Absent: for both. */
  forManagers?: boolean;
};

/** Data that the contract does not have for this type is an error of the compiler. */
export type NewEvent<Types extends EventType = EventType> = { [Type in Types]: EventOf<Type> }[Types];

/** Writes the event into the outbox. It takes a transaction, never the database: no change without its event. */
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

/** For a transaction that several requests share. */
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
