import { reasonSentence } from '@bottega/contract';
import type { Agent } from 'undici';
import { type Span, span } from '../../foundation/tracing/span.ts';
import type { Subscriber } from '../fan-out/index.ts';
import type { DeliveryJob } from '../queue/index.ts';
import { type FailureReason, nextStep, renderBody, signatureHeaders } from '../subscriptions/index.ts';
import { type ExchangeEnd, post } from './exchange.ts';
import type { Outcome } from './outcomes.sql.ts';

type Sending = { agent: Agent; bodyLimit: number };

/** Makes one attempt and returns the outcome to store. */
export function attemptDelivery(sending: Sending, job: DeliveryJob, subscriber: Subscriber): Promise<Outcome> {
  const told = attemptSpan(job);
  return span(told, async () => {
    const outcome = await attempt(sending, { job, subscriber, traceparent: told.traceparent });
    told.attributes['http.response.status_code'] = outcome.response_code;
    if (outcome.status !== 'success')
      told.failure = outcome.response_code === null ? 'no_answer' : String(outcome.response_code);
    return outcome;
  });
}

/** The span leaves out the endpoint's address, which may contain a secret. */
const attemptSpan = ({ id, webhookId, eventId, name, attempt, payload }: DeliveryJob): Span => ({
  name: 'webhook delivery',
  kind: 'client',
  attributes: {
    'bottega.delivery_id': id,
    'bottega.webhook_id': webhookId,
    'bottega.event_id': eventId,
    'bottega.event_name': name,
    'bottega.attempt': attempt,
  },
  begins: { causedBy: payload.requestId },
});

type Attempt = { job: DeliveryJob; subscriber: Subscriber; traceparent: string | undefined };

async function attempt(sending: Sending, { job, subscriber, traceparent }: Attempt): Promise<Outcome> {
  const { agent, bodyLimit } = sending;
  const { url, timeoutMs, format, given } = subscriber;
  const body = renderBody(job.format, {
    event_id: job.eventId,
    name: job.name,
    webhook_id: job.webhookId,
    delivery_id: job.id,
    attempt: job.attempt,
    created_at: job.payload.eventAt,
    request_id: job.payload.requestId,
    idempotency_key: job.payload.idempotencyKey,
    data: job.payload.data,
  });
  const ours = { ...ownHeaders(job, subscriber, body, new Date()), ...(traceparent && { traceparent }) };
  const end = await post(agent, { url, headers: { ...subscriber.headers, ...ours }, body, timeoutMs, bodyLimit });
  const step = nextStep(job.attempt, end, { format, given }, Math.random());
  return {
    ...madeOf(job, end),
    status: step.status,
    reason: step.status === 'failed' ? step.reason : null,
    delay_ms: step.status === 'pending' ? step.delayMs : 0,
    request_headers: { ...masked(subscriber.headers), ...ours },
  };
}

/** All names are lower case, so that undici need not convert them. */
function ownHeaders(job: DeliveryJob, subscriber: Subscriber, body: string, now: Date): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Service-Webhooks/1.0',
    'x-service-event': job.name,
    'x-service-delivery': job.id,
    'x-service-webhook-id': job.webhookId,
    'x-service-timestamp': now.toISOString(),
    ...signatureHeaders(subscriber.keysAt(now), { eventId: job.eventId, body, timestamp: now }),
  };
}

/**
 * Masks custom headers in the log. They contain the receiver's credentials, and everyone who may read the webhook sees
 * the log.
 */
const masked = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, '***']));

function madeOf(job: DeliveryJob, end: ExchangeEnd) {
  return {
    delivery_id: job.id,
    attempt: job.attempt,
    made: true,
    response_code: end.status,
    response_time: end.responseMs,
    response_body: end.responseBody,
    error: end.error,
    started_at: end.startedAt,
    response_headers: end.responseHeaders,
  };
}

const verdicts: Record<'inactive' | 'no_access', string> = {
  inactive: reasonSentence('webhook_inactive'),
  no_access: reasonSentence('owner_lost_access'),
};

/** The outcome of a delivery that ends without an attempt. */
export function endedWithout(job: DeliveryJob, reason: FailureReason & keyof typeof verdicts): Outcome {
  return {
    delivery_id: job.id,
    attempt: job.attempt - 1,
    made: false,
    status: 'failed',
    reason,
    delay_ms: 0,
    response_code: null,
    response_time: null,
    response_body: null,
    error: verdicts[reason],
    started_at: new Date(),
    request_headers: {},
    response_headers: null,
  };
}
