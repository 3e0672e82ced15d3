import type { EventType } from '@bottega/contract';
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
export async function appendEvent(trx: Trx, event: NewEvent, cause: Cause): Promise<string> {
  const id = newId('evt');
  await trx
    .insertInto('events')
    .values({
      id,
      type: event.type,
      account_id: event.accountId,
      project_id: event.projectId,
      actor_id: cause.actorId,
      data: JSON.stringify(event.data),
      request_id: cause.requestId,
      idempotency_key: cause.idempotencyKey,
    })
    .execute();
  return id;
}
