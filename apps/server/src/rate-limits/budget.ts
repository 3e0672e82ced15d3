import type { Plan } from '@bottega/contract';
import type { PlanLimits, Tier } from '../config/index.ts';
import type { Budget, Caller } from '../http/guard.ts';
import { addressKey } from './address-key.ts';
import { rateLimitError, rateLimitHeaders } from './headers.ts';
import type { Decision, RateLimiter } from './limiter.ts';

export const userKey = (userId: string): string => `user:${userId}`;

/** Per user over all of their credentials; by address, on the free tier, where there is none that holds. */
export function requestBudgets(limiter: RateLimiter, plans: Record<Plan, PlanLimits>) {
  const keyAndTier = ({ principal, address }: Caller): [string, Tier] =>
    principal ? [userKey(principal.userId), plans[principal.plan].rate] : [addressKey(address), plans.free.rate];
  return {
    takeRequest: (caller: Caller) => whenDecided(limiter.take(...keyAndTier(caller))),
    peekBudget: (caller: Caller) => whenDecided(limiter.peek(...keyAndTier(caller))),
  };
}

/** At once where the store answers at once: every request passes here. */
function whenDecided(decision: Decision | Promise<Decision>): Budget | Promise<Budget> {
  return decision instanceof Promise ? decision.then(asBudget) : asBudget(decision);
}

function asBudget(decision: Decision): Budget {
  return {
    headers: rateLimitHeaders(decision),
    refusal: decision.refusal && rateLimitError(decision.refusal),
  };
}
