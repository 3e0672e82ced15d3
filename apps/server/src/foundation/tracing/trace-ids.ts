import { hash } from 'node:crypto';

export type TraceIds = { traceId: string; spanId: string };

/**
 * The ids of a request's span are derived from the id of the request. That id is stored with events, jobs and
 * deployments, and is passed on between nodes. So everything that a request causes can refer to its trace, and nothing
 * else has to be stored.
 */
export function traceIdsOf(requestId: string): TraceIds {
  const digest = hash('sha256', requestId);
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) };
}
