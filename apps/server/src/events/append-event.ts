import type { EventType } from '@bottega/contract';
import { CompiledQuery } from 'kysely';
import { afterCommit, type Trx } from '../foundation/db/transaction.ts';
import type { Cause } from '../foundation/http/cause.ts';
import { newId } from '../foundation/ids.ts';
import { eventsCommitted } from './nudge.ts';

export type NewEvent = {
  type: EventType;
  /** Whose event it is: a project's owner, or the user themselves. */
  accountId: string;
  projectId: string | null;
  data: Record<string, unknown>;
  /** True: for those who manage the project. False: for those who only read it. Absent: for both. */
  forManagers?: boolean;
};

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

/** As one JSON text, so that the statement is the same however many there are, and nothing is escaped twice. */
const appendText = `
  insert into events (id, type, account_id, project_id, data, for_managers, actor_id, request_id, idempotency_key)
  select id, type, "accountId", "projectId", data, "forManagers", "actorId", "requestId", "idempotencyKey"
  from jsonb_to_recordset($1::jsonb) as e (id text, type text, "accountId" text, "projectId" text, data jsonb,
    "forManagers" boolean, "actorId" text, "requestId" text, "idempotencyKey" text)`;

/** For a transaction that several requests share. */
export async function appendCausedEvents(trx: Trx, events: CausedEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ cause, ...event }) => ({ id: newId('evt'), ...event, ...cause }));
  await trx.executeQuery(CompiledQuery.raw(appendText, [JSON.stringify(rows)]));
  afterCommit(trx, () => eventsCommitted(events.map((event) => event.type)));
}
