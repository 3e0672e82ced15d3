import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '../../foundation/http/index.ts';

/** OWASP's second recommendation for Argon2id: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * A hash is work for one core for some 50 ms. Half of the cores at most, and where others wait each is followed by a
 * pause as long as it took: a flood of sign-ins takes a quarter of the machine, and the other requests have the rest.
 */
const mostAtOnce = Math.max(1, Math.floor(availableParallelism() / 2));
const mostWaiting = 100;

/** Of random bytes that nobody knows, with the same cost as every other hash. */
const nobodysHash = '$argon2id$v=19$m=19456,t=2,p=1$k6rYfmFKaZ+h6Qpb/1SRbw$RfsG4FMCh6ZUjlBcOjZrEBUEc9y8QSSziuzLq5s/ZMg';

/** At once: for operators, of whom there is no flood. */
export const hashPassword = (password: string): Promise<string> => hash(password, cost);

export type Passwords = {
  hash(password: string): Promise<string>;
  /**
   * Where there is no hash to compare with (no such account, or one without a password) the same work is done, so that
   * neither the time nor the load tells of it.
   */
  verify(stored: string | null, password: string): Promise<boolean>;
};

/** Hashing in turn, for whoever asks from outside. */
export function createPasswords(): Passwords {
  const inTurn = createTurns();
  return {
    hash: (password) => inTurn(() => hashPassword(password)),
    async verify(stored, password) {
      const matches = await inTurn(() => verify(stored ?? nobodysHash, password));
      return stored !== null && matches;
    },
  };
}

function createTurns() {
  let running = 0;
  const waiting: (() => void)[] = [];

  /** Whoever waits now still does: only this lets them in. */
  function handOver(): void {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }

  return async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running >= mostAtOnce) {
      if (waiting.length >= mostWaiting) throw tooBusy();
      // Whoever finishes hands its turn over, so that nobody who comes later takes it in between.
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
