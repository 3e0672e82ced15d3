import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '../../foundation/http/index.ts';

type Cost = { memoryCost: number; timeCost: number; parallelism: number };

/** OWASP's second recommendation for Argon2id: 19 MiB, two passes. */
const recommended: Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Maximum number of concurrent hashes. A hash occupies one core for about 50 ms. At most half of the cores are used,
 * and while hashes are waiting, each hash is followed by a pause of the same length. So a flood of sign-ins uses a
 * quarter of the machine, and the rest is left to other requests.
 */
const maxAtOnce = Math.max(1, Math.floor(availableParallelism() / 2));
const maxWaiting = 100;

/** Hashes immediately, without a queue. For commands of operators, of which there are never many at a time. */
export const hashPassword = (password: string): Promise<string> => argon2id().hash(password);

export type Passwords = {
  hash(password: string): Promise<string>;
  /**
   * Compares a password. If there is no hash (no such account, or no password), it does the same work, so that neither
   * the time nor the load reveals that.
   */
  verify(stored: string | null, password: string): Promise<boolean>;
};

/** Both parameters exist for tests, which pass a minimal cost, or count the calls of `argon2`. */
export function argon2id({ memoryCost, timeCost, parallelism } = recommended, argon2 = { hash, verify }): Passwords {
  // A hash of unknown random bytes, for comparisons if there is no hash. It has the same cost as every other hash.
  const parameters = `m=${memoryCost},t=${timeCost},p=${parallelism}`;
  const nobodys = `$argon2id$v=19$${parameters}$k6rYfmFKaZ+h6Qpb/1SRbw$RfsG4FMCh6ZUjlBcOjZrEBUEc9y8QSSziuzLq5s/ZMg`;
  return {
    hash: (password) => argon2.hash(password, { memoryCost, timeCost, parallelism }),
    verify: async (stored, password) => (await argon2.verify(stored ?? nobodys, password)) && stored !== null,
  };
}

/** Creates the functions for requests from users, which wait for their turn to hash. */
export function createPasswords(hashing = argon2id()): Passwords {
  const inTurn = createTurns();
  return {
    hash: (password) => inTurn(() => hashing.hash(password)),
    verify: (stored, password) => inTurn(() => hashing.verify(stored, password)),
  };
}

function createTurns() {
  let running = 0;
  const waiting: (() => void)[] = [];

  /** Passes the turn on to the next waiting hash. Waiting hashes are started nowhere else. */
  function handOver(): void {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }

  return async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running >= maxAtOnce) {
      if (waiting.length >= maxWaiting) throw tooBusy();
      // A finished hash passes its turn on, so that a later request cannot take it in between.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running++;
    }
    const begun = performance.now();
    try {
      return await work();
    } finally {
      if (waiting.length === 0) running--;
      else setTimeout(handOver, performance.now() - begun);
    }
  };
}

const tooBusy = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'Too many passwords are being checked; try again in a moment', {
    headers: { 'retry-after': '5' },
  });
