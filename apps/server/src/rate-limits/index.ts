export { addressKey } from './address-key.ts';
export { requestBudgets, userKey } from './budget.ts';
export { memoryRateLimiter, type RateLimiter } from './limiter.ts';
