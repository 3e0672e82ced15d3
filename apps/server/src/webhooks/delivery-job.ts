import type { WebhookFormat } from '@bottega/contract';

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
  /** Whether the next one of its project waits for this one. */
  inOrder: boolean;
  /** Null: it may go out. Else it ends here, and this is why. */
  verdict: 'inactive' | 'no_access' | null;
  payload: { data: string; eventAt: Date; requestId: string | null; idempotencyKey: string | null };
};
