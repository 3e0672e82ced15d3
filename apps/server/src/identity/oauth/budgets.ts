import type { FastifyRequest } from 'fastify';
import { AppError } from '../../foundation/http/index.ts';
import { memoryRateLimiter } from '../../foundation/rate-limits/rate-limiter.ts';
import { addressKey } from '../rate-limits/index.ts';

/**
 * Budgets that are checked before any lookup. Secrets, codes and tokens have 256 random bits, so they cannot be guessed
 * anyway. The budgets only keep such guesses from using up resources, so it is enough to count them in the memory of
 * each process.
 */
const quarterHour = { windowSeconds: 900, burstSeconds: 60 };
/**
 * `app`: failed authentications of one app from one address. `address`: those of all apps from one address.
 * `authorize`: authorizations that were begun.
 */
const tiers = {
  app: { requests: 30, burst: 30 },
  address: { requests: 300, burst: 300 },
  authorize: { requests: 1000, burst: 200 },
};

export type OauthBudgets = {
  /** Seconds to wait, or null if the request is allowed. */
  waitToAuthenticate(request: FastifyRequest, appId: string): Promise<number | null>;
  noteFailure(request: FastifyRequest, appId: string): Promise<void>;
  waitToAuthorize(request: FastifyRequest): Promise<number | null>;
  close(): void;
};

export function oauthBudgets(): OauthBudgets {
  const limiter = memoryRateLimiter(quarterHour);
  const keys = (request: FastifyRequest, appId: string) => {
    const address = addressKey(request.ip);
    return [
      [`${address} oauth ${appId.slice(0, 64)}`, tiers.app],
      [`${address} oauth`, tiers.address],
    ] as const;
  };
  return {
    async waitToAuthenticate(request, appId) {
      // Peeking does not count, so `remaining` shows whether one more is allowed.
      const states = await Promise.all(keys(request, appId).map(([key, tier]) => limiter.peek(key, tier)));
      const full = states.find(({ remaining, burst }) => remaining === 0 || burst.remaining === 0);
      if (!full) return null;
      return full.remaining === 0 ? Math.max(1, Math.ceil((full.resetAt - Date.now()) / 1000)) : 60;
    },
    async noteFailure(request, appId) {
      for (const [key, tier] of keys(request, appId)) await limiter.take(key, tier);
    },
    async waitToAuthorize(request) {
      const { refusal } = await limiter.take(`${addressKey(request.ip)} authorize`, tiers.authorize);
      return refusal?.retryAfter ?? null;
    },
    close: () => limiter.close(),
  };
}

export const tooManyAttempts = (seconds: number): AppError =>
  new AppError('RATE_LIMIT_EXCEEDED', `Too many attempts; try again in ${seconds} seconds`, {
    headers: { 'retry-after': String(seconds) },
  });
