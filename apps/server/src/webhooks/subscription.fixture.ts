import type { EventType, RetryPolicyInput, WebhookFilters, WebhookFormat } from '@bottega/contract';
import { appendEvent, type NewEvent } from '../events/index.ts';
import { nudgeNodes } from '../foundation/cluster/nudges.sql.ts';
import { secretBox } from '../foundation/crypto/secret-box.ts';
import { transaction } from '../foundation/db/index.ts';
import { newId } from '../foundation/ids.ts';
import type { TestService } from '../testing/service/test-service.ts';

type Running = Pick<TestService, 'db' | 'pool' | 'secretKey'>;

type Subscription = {
  ownerId: string;
  url: string;
  events?: string[];
  format?: WebhookFormat;
  projectId?: string | null;
  secret?: string;
  headers?: Record<string, string>;
  timeout?: number;
  policy?: RetryPolicyInput | null;
  ordered?: boolean;
  filters?: WebhookFilters | null;
};

/** Callbacks that fail the test if a relay reports a problem. */
export const undisturbed = {
  async onExhausted(webhookId: string): Promise<void> {
    throw new Error(`the filters of ${webhookId} cost too much`);
  },
  onSetAside(eventId: string, reason: string): void {
    throw new Error(`${eventId} was set aside: ${reason}`);
  },
};

/** One attempt only, so that a test does not wait for retries. */
export const once: RetryPolicyInput = { max_attempts: 1 };
/** Retries without a pause. */
export const quick: RetryPolicyInput = { backoff_strategy: 'fixed', initial_delay: 10 };

/** Stores a webhook as the API would, without calling it. */
export async function subscribe({ db, secretKey }: Running, subscription: Subscription): Promise<string> {
  const box = secretBox(secretKey, 'webhooks');
  const { ownerId, url, events = ['*'], format = 'reference', secret = 'whsec_c2VjcmV0' } = subscription;
  const id = newId('whk');
  await db
    .insertInto('webhooks')
    .values({
      id,
      owner_id: ownerId,
      created_by: ownerId,
      project_id: subscription.projectId ?? null,
      format,
      name: 'Test',
      url,
      events,
      secret_encrypted: box.seal(secret),
      headers_encrypted: subscription.headers ? box.seal(JSON.stringify(subscription.headers)) : null,
      timeout: subscription.timeout ?? 5,
      retry_policy: subscription.policy ? JSON.stringify(subscription.policy) : null,
      ordered: subscription.ordered ?? false,
      filters: subscription.filters ? JSON.stringify(subscription.filters) : null,
    })
    .execute();
  return id;
}

let count = 0;
type Happening = { accountId: string; projectId?: string | null; type?: EventType; data?: Record<string, unknown> };

/** Appends an event with a number in its data that identifies it. */
export async function happen({ db }: Running, { accountId, projectId = null, type, data }: Happening): Promise<number> {
  const number = ++count;
  await transaction(db, (trx) =>
    appendEvent(
      trx,
      // A delivery carries the event's data as it is. A number is clearer in a test than the contract's fields.
      {
        accountId,
        projectId,
        type: type ?? (projectId ? 'project.updated' : 'user.updated'),
        data: { number, ...data },
      } as unknown as NewEvent,
      { actorId: accountId, requestId: 'req_test', idempotencyKey: null },
    ),
  );
  // Nudges like a node that does not deliver: the tests' own connection belongs to no node.
  await nudgeNodes(db, 'events');
  return number;
}

export async function deliveriesOf({ pool }: Running, webhookId: string) {
  const { rows } = await pool.query(
    `select d.*, (d.request_headers is not null)::integer
       + (select count(*)::integer from webhook_attempts a where a.delivery_id = d.id) as logged
     from webhook_deliveries d where webhook_id = $1 order by id`,
    [webhookId],
  );
  return rows;
}

/** The numbers in the received data, in the order of arrival. */
export const numbersIn = (received: readonly { json: Record<string, unknown> }[]): number[] =>
  received.map(({ json }) => (json.data as { number: number }).number);
