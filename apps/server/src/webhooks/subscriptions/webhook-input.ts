import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { RetryPolicy, RetryPolicyInput } from '@bottega/contract';
import { invalid } from '../../foundation/http/index.ts';
import { checkEach } from '../../foundation/http/request/field-checks.ts';

/** What the schema cannot say about the fields of a webhook. Each of these throws a 422 on the field, or says nothing. */

/** Ours, those that belong to the connection, and those that describe the body. */
const refusedHeaders = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);
const refusedBeginnings = ['proxy-', 'sec-', 'webhook-', 'x-service-', 'x-webhook-signature'];
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;

function checkHeaders(headers: Readonly<Record<string, string>>): Promise<void> {
  const seen = new Set<string>();
  return checkEach(Object.keys(headers), (name) => {
    const lower = name.toLowerCase();
    const field = `headers.${name.slice(0, 200)}`;
    if (!headerName.test(name)) throw invalid(field, 'is not a header name');
    if (refusedHeaders.has(lower) || refusedBeginnings.some((beginning) => lower.startsWith(beginning))) {
      throw invalid(field, 'is a header that the service sets');
    }
    if (seen.has(lower)) throw invalid(field, 'appears twice');
    seen.add(lower);
  });
}

/** As Standard Webhooks has them. A secret that the user brings may be any text: it is then its own bytes. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

export type Limits = { problemOf(url: string): string | null; most: { timeout: number } };

export const webhookChecks = ({ problemOf, most }: Limits) => ({
  url(url: string): void {
    const problem = problemOf(url);
    if (problem !== null) throw invalid('url', problem);
  },
  headers: checkHeaders,
  timeout(timeout: number): void {
    if (timeout > most.timeout) throw invalid('timeout', `must be at most ${most.timeout}`);
  },
});

/**
 * A policy that reads word for word as the present one was sent back, and is no decision for a strategy: the guide's
 * own delays would end with it.
 */
export function isSamePolicy(given: RetryPolicyInput, present: RetryPolicy): boolean {
  return isDeepStrictEqual(given, present);
}
