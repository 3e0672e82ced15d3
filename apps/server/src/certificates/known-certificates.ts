import { setTimeout as delay } from 'node:timers/promises';
import { createSecureContext, type SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { createSemaphore } from '../foundation/concurrency/semaphore.ts';
import { singleFlight } from '../foundation/concurrency/single-flight.ts';
import type { SecretBox } from '../foundation/crypto/secret-box.ts';
import type { Db } from '../foundation/db/index.ts';
import { challengeCertificate, newKey } from './acme/index.ts';
import type { RequestCertificate } from './certificate-requests.ts';
import { findCertificate, findKeyAuthorization, type StoredCertificate } from './certificates.sql.ts';
import type { Names } from './names.ts';

export type KnownCertificates = {
  /** Null if there is no certificate. The handshake is then refused. */
  forClient(name: string): Promise<SecureContext | null>;
  forChallenge(name: string): Promise<SecureContext | null>;
};

type Options = {
  db: Db;
  box: SecretBox;
  directory: string;
  names: Pick<Names, 'fits'>;
  requestCertificate: RequestCertificate;
};
type Known = {
  chain: string | null;
  context: SecureContext | null;
  /** Whether the certificate is ordered and no attempt has failed yet. */
  isAwaited: boolean;
  readAt: number;
};

const absent: Known = { chain: null, context: null, isAwaited: false, readAt: 0 };

/**
 * How long a certificate is cached, in milliseconds. This saves a query per handshake. Every node uses a new
 * certificate after this time at the latest.
 */
const freshMs = 1_000;
const maxKnown = 1_000;
/** Maximum number of concurrent reads, and of waiting reads. It limits a client that requests thousands of names. */
const maxReads = 4;
const maxWaiting = 100;
/**
 * How long the first visitors of a name wait for its certificate, in milliseconds. It is within the time limit of a
 * handshake.
 */
const patienceMs = 8_000;
const lookAgainMs = 500;

/**
 * Returns certificates by name. Each process reads them from the database, and continues to use the known ones while
 * the database is down.
 */
export function createKnownCertificates({ db, box, directory, names, requestCertificate }: Options): KnownCertificates {
  const known = new LRUCache<string, Known>({ max: maxKnown });
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
        // Unknown names are not cached. Their number is unlimited, so they would push out the known ones.
        return { ...absent, isAwaited: await requestCertificate(name) };
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

/** Runs a few reads at the same time and queues the rest. If the queue is full, it returns the fallback. */
function boundedTurns() {
  const inTurn = createSemaphore(maxReads);
  let underWay = 0;
  return async <Result>(work: () => Promise<Result>, without: () => Result): Promise<Result> => {
    if (underWay >= maxReads + maxWaiting) return without();
    underWay++;
    return inTurn(work).finally(() => {
      underWay--;
    });
  };
}
