import type { Agent } from 'undici';
import { type Db, transaction } from '../../foundation/db/index.ts';
import { type Cause, notFound } from '../../foundation/http/index.ts';
import { newId } from '../../foundation/ids.ts';
import { insertDeliveries, type Subscribers } from '../fan-out/index.ts';
import { attemptDelivery } from './attempt.ts';
import { nobody, storeHealth, storeOutcomes } from './outcomes.sql.ts';
import { healthChanges } from './outcomes.ts';

export type TestInput = { webhookId: string; name: string; data: string; cause: Cause };
type Options = { db: Db; agent: Agent; subscribers: Subscribers; bodyLimit: number; pauseSeconds: number };

/**
 * Makes one attempt now and records it like any other delivery. Because a failed test says nothing about the webhook's
 * events, it does not count towards a pause and is not retried. A successful test ends a pause.
 */
export async function sendTest(
  { db, agent, subscribers, bodyLimit, pauseSeconds }: Options,
  { webhookId, name, data, cause }: TestInput,
) {
  const subscriber = await subscribers.current(db, webhookId);
  if (!subscriber) throw notFound('Webhook');
  const { format } = subscriber;
  const eventAt = new Date();
  const eventId = newId('evt');
  const id = newId('dlv');
  const payload = { data, eventAt, requestId: cause.requestId, idempotencyKey: cause.idempotencyKey };
  const held = { holder: nobody, batch: null, run: null, verdict: null };
  const job = { id, webhookId, accountId: subscriber.ownerId, eventId, name, format, attempt: 1, ...held, payload };
  const made = await attemptDelivery({ agent, bodyLimit }, job, subscriber);
  const outcome =
    made.status === 'success' ? made : { ...made, status: 'failed' as const, reason: made.reason ?? 'exhausted' };
  return transaction(db, async (trx) => {
    const { requestId: request_id, idempotencyKey: idempotency_key } = cause;
    const named = { event_id: eventId, event_type: name, format };
    await insertDeliveries(trx, [], [{ ...named, event_at: eventAt, request_id, idempotency_key, data }]);
    const created = { webhook_id: webhookId, kind: 'test' as const, project_id: null, created_at: eventAt };
    await storeOutcomes(trx, nobody, [{ ...outcome, ...named, ...created }]);
    const changes = healthChanges([{ job, outcome }]);
    await storeHealth(
      trx,
      changes.map((change) => ({ ...change, failures: 0 })),
      pauseSeconds,
    );
    return id;
  });
}
