import { argon2id } from '../../identity/auth/index.ts';

/** The lowest cost of Argon2: with the service's own, a hash takes 50 ms, and tests sign in thousands of times. */
export const leastCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

export const cheapHashing = argon2id(leastCost);
