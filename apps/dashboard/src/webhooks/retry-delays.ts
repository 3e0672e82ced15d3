import type { RetryPolicy } from '@bottega/contract';

/** Milliseconds before each further attempt. With default delays, the service adds up to a tenth to each. */
export function delaysOf({ max_attempts, backoff_strategy, initial_delay, max_delay }: RetryPolicy): number[] {
  return Array.from({ length: Math.max(0, max_attempts - 1) }, (_none, index) => {
    const growth = { fixed: 1, linear: index + 1, exponential: 2 ** index }[backoff_strategy];
    return Math.min(initial_delay * growth, max_delay);
  });
}

/**
 * Parses statuses: `500, 502 503` becomes [500, 502, 503]. An empty text becomes null, which means 500 and above.
 * Anything else becomes undefined.
 */
export function statusesIn(text: string): number[] | null | undefined {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  if (words.length === 0) return null;
  const statuses = [...new Set(words.map(Number))];
  return statuses.every((one) => Number.isInteger(one) && one >= 100 && one <= 599) ? statuses : undefined;
}
