import type { WebhookFormat } from '@bottega/contract';

/**
 * What one claim took of a project whose events arrive in order: each is sent once the one before it has arrived. What was
 * not begun by then is given back, since a claim is what decides whether its owner may still see it.
 */
export type Run = { line: string; until: number };

/** One delivery that this node holds and is about to attempt. */
export type DeliveryJob = {
  id: string;
  webhookId: string;
  /** Who owns the webhook. */
  accountId: string;
  eventId: string;
  /** The name under which it is delivered. */
  name: string;
  format: WebhookFormat;
  /** The number that the next attempt has; the first one is 1. */
  attempt: number;
  /** The worker that holds it. */
  holder: number;
  /** Null: it was claimed. Else it came of a fan-out here, in this batch, and may have no row yet. */
  batch: { id: number; createdAt: Date; projectId: string | null } | null;
  /** Null: it waits for no other. */
  run: Run | null;
  /** Null: it may go out. Else it ends here, and this is why. */
  verdict: 'inactive' | 'no_access' | null;
  payload: { data: string; eventAt: Date; requestId: string | null; idempotencyKey: string | null };
};
