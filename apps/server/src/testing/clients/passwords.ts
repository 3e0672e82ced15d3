import { argon2id } from '../../identity/auth/index.ts';

/** The least that Argon2 takes: as the service does it a hash is 50 ms of work, and tests sign in thousands of times. */
export const leastCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

export const cheapHashing = argon2id(leastCost);
