import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { RetryPolicy, RetryPolicyInput } from '@bottega/contract';
import { invalid } from '../../foundation/http/index.ts';
import { checkEach } from '../../foundation/http/request/field-checks.ts';

/** Checks of a webhook's fields that the schema cannot express. Each throws a 422 on the field if it fails. */

/** Headers that belong to us, to the connection or to the body's description. */
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

/** A secret in the form of Standard Webhooks. A secret that a user supplies may be any text. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

export type Limits = { problemOf(url: string): string | null; max: { timeout: number } };

export const webhookChecks = ({ problemOf, max }: Limits) => ({
  url(url: string): void {
    const problem = problemOf(url);
    if (problem !== null) throw invalid('url', problem);
  },
  headers: checkHeaders,
  timeout(timeout: number): void {
    if (timeout > max.timeout) throw invalid('timeout', `must be at most ${max.timeout}`);
  },
});

/**
 * Whether the client only sent the current policy back. In this case, it has not selected a strategy. If it had, the
 * guide's own delays would no longer apply.
 */
export function isSamePolicy(given: RetryPolicyInput, present: RetryPolicy): boolean {
  return isDeepStrictEqual(given, present);
}
