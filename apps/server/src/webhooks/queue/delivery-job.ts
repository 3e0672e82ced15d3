import type { WebhookFormat } from '@bottega/contract';

/**
 * Ordered deliveries of one project from one claim. Each is sent after the previous one has arrived. Those that have
 * not begun at `until` are given back, so that the next claim checks again whether the webhook's owner may still see
 * them.
 */
export type Run = { line: string; until: number };

/** A delivery that this node holds and is about to attempt. */
export type DeliveryJob = {
  id: string;
  webhookId: string;
  /** The owner of the webhook. */
  accountId: string;
  eventId: string;
  /** The event's name in the webhook's format. */
  name: string;
  format: WebhookFormat;
  /** The number of the next attempt, from 1. */
  attempt: number;
  /** The worker that holds the delivery. */
  holder: number;
  /**
   * The batch in which this node has fanned out the delivery. The delivery may have no row yet. Null if the delivery
   * was claimed.
   */
  batch: { id: number; createdAt: Date; projectId: string | null } | null;
  /** Null if the delivery is not ordered. */
  run: Run | null;
  /** The reason to end the delivery without an attempt. Null if it may be sent. */
  verdict: 'inactive' | 'no_access' | null;
  payload: { data: string; eventAt: Date; requestId: string | null; idempotencyKey: string | null };
};
