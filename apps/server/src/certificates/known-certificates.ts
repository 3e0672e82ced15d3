import { setTimeout as delay } from 'node:timers/promises';
import { createSecureContext, type SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { createSemaphore } from '../foundation/concurrency/semaphore.ts';
import { singleFlight } from '../foundation/concurrency/single-flight.ts';
import type { SecretBox } from '../foundation/crypto/secret-box.ts';
import type { Db } from '../foundation/db/index.ts';
import { challengeCertificate, newKey } from './acme/index.ts';
import { findCertificate, findKeyAuthorization, type StoredCertificate } from './certificates.sql.ts';
import type { Names } from './names.ts';
import type { WishFor } from './wishes.ts';

export type KnownCertificates = {
  /** Null: there is none, and the handshake is refused. */
  forClient(name: string): Promise<SecureContext | null>;
  forChallenge(name: string): Promise<SecureContext | null>;
};

type Options = { db: Db; box: SecretBox; directory: string; names: Pick<Names, 'fits'>; wishFor: WishFor };
type Known = {
  chain: string | null;
  context: SecureContext | null;
  /** It is ordered, and nothing has gone wrong so far. */
  isAwaited: boolean;
  readAt: number;
};

const absent: Known = { chain: null, context: null, isAwaited: false, readAt: 0 };

/** A new certificate is in use everywhere after this time, and the database is not asked with every handshake. */
const freshMs = 1_000;
const mostKnown = 1_000;
/**
 * Whoever asks for names by the thousand takes no more connections of the database than these, and keeps nobody waiting
 * behind more than those.
 */
const mostReads = 4;
const mostWaiting = 100;
/** The first visitors of a name wait for its certificate, as long as a handshake may take. */
const patienceMs = 8_000;
const lookAgainMs = 500;

/** Certificates by name, as the database has them. Each process reads them for itself; while it is away, those it knows go on. */
export function createKnownCertificates({ db, box, directory, names, wishFor }: Options): KnownCertificates {
  const known = new LRUCache<string, Known>({ max: mostKnown });
  const forClientsInTurn = boundedTurns();
  const forChallengesInTurn = boundedTurns();

  function remember(name: string, { chain, key_encrypted: key }: StoredCertificate, isAwaited: boolean): Known {
    const before = known.get(name);
    const isSame = before !== undefined && before.chain === chain;
    const context = isSame ? before.context : contextOf(chain, key && box.open(key));
    const now = { chain, context, isAwaited, readAt: Date.now() };
    known.set(name, now);
    return now;
  }

  const read = singleFlight((name: string) =>
    forClientsInTurn(
      async () => {
        const row = await findCertificate(db, directory, name);
        if (row) return remember(name, row, row.chain === null && row.problem === null);
        // Not remembered: names that are not there are endless, and must not push out those that are.
        return { ...absent, isAwaited: await wishFor(name) };
      },
      () => known.get(name) ?? absent,
    ),
  );

  async function look(name: string): Promise<Known> {
    const before = known.get(name);
    if (before && Date.now() - before.readAt < freshMs) return before;
    return read(name).catch((error: unknown) => {
      if (before) return before;
      throw error;
    });
  }

  return {
    async forClient(name) {
      if (!names.fits(name)) return null;
      const deadline = Date.now() + patienceMs;
      let found = await look(name);
      while (found.isAwaited && Date.now() < deadline) {
        await delay(lookAgainMs);
        found = await look(name);
      }
      return found.context;
    },
    async forChallenge(name) {
      if (!names.fits(name)) return null;
      const find = () => findKeyAuthorization(db, directory, name);
      const proof = await forChallengesInTurn(find, () => null);
      if (proof === null) return null;
      const key = newKey();
      const cert = challengeCertificate(name, proof, key);
      return createSecureContext({ cert, key: key.export({ type: 'pkcs8', format: 'pem' }) });
    },
  };
}

const contextOf = (cert: string | null, key: string | null): SecureContext | null =>
  cert === null || key === null ? null : createSecureContext({ cert, key });

/** A few at a time, while others wait; where too many do, the answer is what can be said without. */
function boundedTurns() {
  const inTurn = createSemaphore(mostReads);
  let underWay = 0;
  return async <Result>(work: () => Promise<Result>, without: () => Result): Promise<Result> => {
    if (underWay >= mostReads + mostWaiting) return without();
    underWay++;
    return inTurn(work).finally(() => {
      underWay--;
    });
  };
}
