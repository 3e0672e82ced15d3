import type { Plan } from '@bottega/contract';
import type { PlanLimits, Tier } from '../../foundation/config/index.ts';
import type { Budget, Caller } from '../../foundation/http/index.ts';
import type { Decision, RateLimiter } from '../../foundation/rate-limits/rate-limiter.ts';
import { addressKey } from './address-key.ts';
import { rateLimitError, rateLimitHeaders } from './headers.ts';

export const userKey = (userId: string): string => `user:${userId}`;

/** The limits of each budget. `collaboration` is null if requests of live sessions count like all others. */
type Tiers = { plans: Record<Plan, PlanLimits>; session: Tier; collaboration: Tier | null };

/**
 * Counts requests per user, across all credentials of the user. A browser's session has its own budget, because a
 * script that has used up its budget must not block the dashboard. Requests without a valid credential are counted per
 * address, with the limits of the free plan.
 */
export function requestBudgets(limiter: RateLimiter, { plans, session, collaboration }: Tiers) {
  function keyAndTier({ principal, address, access }: Caller): [string, Tier] {
    if (!principal) return [addressKey(address), plans.free.rate];
    if (collaboration && access?.endsWith(':collaboration')) return [`live:${principal.userId}`, collaboration];
    if (principal.credential.kind === 'session') return [`session:${principal.userId}`, session];
    return [userKey(principal.userId), plans[principal.plan].rate];
  }
  return {
    takeRequest: (caller: Caller) => whenDecided(limiter.take(...keyAndTier(caller))),
    peekBudget: (caller: Caller) => whenDecided(limiter.peek(...keyAndTier(caller))),
  };
}

/** Returns no promise if the limiter returned none, because a promise would cost something on every request. */
function whenDecided(decision: Decision | Promise<Decision>): Budget | Promise<Budget> {
  return decision instanceof Promise ? decision.then(asBudget) : asBudget(decision);
}

function asBudget(decision: Decision): Budget {
  return {
    headers: rateLimitHeaders(decision),
    refusal: decision.refusal && rateLimitError({ ...decision, refusal: decision.refusal }),
  };
}
