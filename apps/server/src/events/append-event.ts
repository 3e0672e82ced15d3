import type { EventType } from '@bottega/contract';
import { sql } from 'kysely';
import type { Trx } from '../db/transaction.ts';
import type { Cause } from '../http/cause.ts';
import { newId } from '../ids.ts';

export type NewEvent = {
  type: EventType;
  /** Whose event it is: a project's owner, or the user themselves. */
  accountId: string;
  projectId: string | null;
  data: Record<string, unknown>;
};

/** Writes the event into the outbox. It takes a transaction, never the database: no change without its event. */
export async function appendEvent(trx: Trx, event: NewEvent, cause: Cause): Promise<void> {
  await appendEvents(trx, [event], cause);
}

/** Arrays keep the statement the same however many there are, so that it is prepared once. */
export async function appendEvents(trx: Trx, events: NewEvent[], cause: Cause): Promise<void> {
  if (events.length === 0) return;
  await sql`
    insert into events (id, type, account_id, project_id, data, actor_id, request_id, idempotency_key)
    select *, ${cause.actorId}::text, ${cause.requestId}::text, ${cause.idempotencyKey}::text
    from unnest(
      ${events.map(() => newId('evt'))}::text[], ${events.map((event) => event.type)}::text[],
      ${events.map((event) => event.accountId)}::text[], ${events.map((event) => event.projectId)}::text[],
      ${events.map((event) => JSON.stringify(event.data))}::jsonb[])`.execute(trx);
}
