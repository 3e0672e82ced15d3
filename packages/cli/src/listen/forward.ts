import { setTimeout as sleep } from 'node:timers/promises';
import { sign } from '@bottega/sdk/webhooks';

export type StreamedEvent = Record<string, unknown>;

export type Attempt = {
  event_id: string;
  event: string;
  /** Counts from 1. */
  attempt: number;
  /** Null if there was no answer. */
  status: number | null;
  error?: string;
  /** Milliseconds. */
  duration: number;
};

type Forwarding = { address: string; secret: string };

const patienceMs = 30_000;
const firstPauseMs = 500;
const longestPauseMs = 30_000;

export const isAccepted = ({ status }: Attempt): boolean => status !== null && status >= 200 && status < 300;

/**
 * Posts an event until the receiver accepts it, and reports every attempt. The signal ends a pause but not an attempt.
 * If an attempt were ended, it would be unknown whether the event arrived. Returns false if `onAttempt` wants no
 * further attempt.
 */
export async function deliver(
  event: StreamedEvent,
  forwarding: Forwarding,
  { signal, onAttempt }: { signal: AbortSignal; onAttempt(attempt: Attempt): 'again' | 'give up' },
): Promise<boolean> {
  for (let number = 1; ; number += 1) {
    const attempt = await post(event, forwarding, number);
    const decision = onAttempt(attempt);
    if (isAccepted(attempt)) return true;
    if (decision === 'give up') return false;
    await sleep(Math.min(longestPauseMs, firstPauseMs * 2 ** (number - 1)), undefined, { signal });
  }
}

async function post(event: StreamedEvent, { address, secret }: Forwarding, number: number): Promise<Attempt> {
  const [id, name] = [String(event.id ?? event.delivery_id), String(event.event ?? event.type)];
  // Only one of the formats contains the number of the attempt.
  const body = JSON.stringify('delivery_attempt' in event ? { ...event, delivery_attempt: number } : event);
  const timestamp = new Date();
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Service-Webhooks/1.0',
    'x-service-event': name,
    'x-service-delivery': id,
    'x-service-webhook-id': 'stream',
    'x-service-timestamp': timestamp.toISOString(),
    ...(await sign(body, secret, { id, now: timestamp.getTime() })),
  };
  const started = performance.now();
  const told = () => ({
    event_id: id,
    event: name,
    attempt: number,
    duration: Math.round(performance.now() - started),
  });
  try {
    const signal = AbortSignal.timeout(patienceMs);
    const answer = await fetch(address, { method: 'POST', headers, body, redirect: 'manual', signal });
    await answer.body?.cancel();
    return { ...told(), status: answer.status };
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error & { code?: string } };
    return { ...told(), status: null, error: cause?.message || cause?.code || message };
  }
}
