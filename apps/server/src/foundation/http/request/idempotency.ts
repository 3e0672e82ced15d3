import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Scope, scopesWithin } from '@bottega/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, forbidden, invalid, malformed } from '../../app-error.ts';
import type { SecretBox } from '../../crypto/secret-box.ts';
import type { Db } from '../../db/pool.ts';
import { ask, askTogether } from '../../db/questions.ts';
import { type Trx, transaction } from '../../db/transaction.ts';
import { principalOf } from './guard.ts';
import { claimingKey, readingAnswer, type StoredAnswer, storeAnswer } from './idempotency.sql.ts';
import { endOf, outlives, type Principal } from './principal.ts';

export type Once = { db: Db; answers: SecretBox };

/**
 * A client without an account is identified by values that only this client can send again. Another client that knows
 * the email address but not the password gets a different claim. So it learns neither the response nor that there is
 * one.
 */
type Stranger = { email: string; password: string };

/**
 * Runs a creating POST in one transaction and, if the client sent an Idempotency-Key, at most once. The claim, the work
 * and the stored response commit together, so after a crash, either all of them exist or none. A refusal rolls back the
 * claim and the work, and does not use up the key.
 */
export async function createOnce<Body>(
  once: Once,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (trx: Trx) => Promise<Body>,
  stranger?: Stranger,
): Promise<Body> {
  const claimed = claimOf(once, request, stranger);
  reply.code(201);
  if (claimed === null) return transaction(once.db, work);
  for (const deadline = performance.now() + patienceMs; ; await delay(lookAgainMs)) {
    const answer = await answerOnce(once, reply, work, claimed);
    if (answer !== 'still running') return answer.body;
    if (performance.now() > deadline) break;
  }
  throw new AppError('CONFLICT', 'A request with this Idempotency-Key is still running', {
    headers: { 'retry-after': '1' },
  });
}

/**
 * How long a retry waits for the first request, which is usually about to commit. The waiting retry holds no database
 * connection.
 */
const patienceMs = 2_000;
const lookAgainMs = 50;

function answerOnce<Body>(
  once: Once,
  reply: FastifyReply,
  work: (trx: Trx) => Promise<Body>,
  claimed: Claimed,
): Promise<{ body: Body } | 'still running'> {
  const { claim, fingerprint, principal } = claimed;
  return transaction(once.db, async (trx) => {
    const [isClaimed, stored] = await askTogether(trx, [claimingKey(claim), readingAnswer(claim)]);
    if (!isClaimed) return 'still running';
    if (stored) return { body: toldAgain<Body>(once, stored, { ...claimed, reply }) };
    const body = await work(trx);
    await storeAnswer(trx, {
      claim,
      fingerprint,
      status: 201,
      credential_id: principal?.credential.id ?? null,
      scopes: [...(principal?.scopes ?? [])],
      ends_at: principal && endOf(principal),
      answer_encrypted: once.answers.seal(JSON.stringify(body)),
    });
    return { body };
  });
}

/**
 * Returns the earlier response to this key. For work that starts long before its transaction, and that would otherwise
 * see the effects of the first request. `createOnce` checks again in the transaction, when the answer can no longer
 * change.
 */
export async function answeredBefore<Body>(
  once: Once,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ body: Body } | null> {
  const claimed = claimOf(once, request);
  const stored = claimed && (await ask(once.db, readingAnswer(claimed.claim)));
  return stored ? { body: toldAgain<Body>(once, stored, { ...claimed, reply }) } : null;
}

type Claimed = { claim: Buffer; fingerprint: Buffer; principal: Principal | null };

/** Null if the client sent no key. */
function claimOf(once: Once, request: FastifyRequest, stranger?: Stranger): Claimed | null {
  const key = idempotencyKey(request);
  if (key === null) return null;
  const principal = stranger ? null : principalOf(request);
  const owner = principal?.userId ?? once.answers.digest(JSON.stringify(stranger)).toString('hex');
  const claim = sha256([owner, request.method, pathOf(request), key]);
  return { claim, fingerprint: fingerprintOf(request.body, once.answers), principal };
}

function toldAgain<Body>(
  once: Once,
  stored: StoredAnswer,
  { fingerprint, principal, reply }: Claimed & { reply: FastifyReply },
): Body {
  if (!stored.fingerprint.equals(fingerprint)) {
    throw invalid('Idempotency-Key', 'was already used for a request with a different body');
  }
  if (principal) mustHaveRightsOf(principal, stored);
  reply.code(stored.status).header('idempotency-replayed', 'true');
  return JSON.parse(once.answers.open(stored.answer_encrypted)) as Body;
}

/**
 * Throws if the credential may not receive a stored response. The response may contain a secret, or data that only a
 * broader credential could get. So it is repeated only for a credential that has at least the same scopes, and that is
 * either the same credential or lasts at least as long.
 */
function mustHaveRightsOf(
  principal: Principal,
  maker: { credential_id: string | null; scopes: string[]; ends_at: Date | null },
): void {
  const isSame = maker.credential_id === principal.credential.id;
  if (scopesWithin(maker.scopes as Scope[], principal.scopes) && (isSame || !outlives(maker.ends_at, principal)))
    return;
  throw forbidden('This Idempotency-Key was used by another credential that has more rights or expires later');
}

function idempotencyKey(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw malformed('Idempotency-Key must be 1 to 255 visible ASCII characters');
  }
  return key;
}

/** A route has the same path on both mounts. */
function pathOf(request: FastifyRequest): string {
  return (request.url.split('?', 1)[0] ?? '').replace(/^\/api\/v1\//, '/v1/');
}

/**
 * A digest of the body. If the body contains a password, the digest is keyed. Otherwise, somebody who can read the
 * table could guess the password.
 */
function fingerprintOf(body: unknown, keyed: SecretBox): Buffer {
  const text = JSON.stringify(body ?? null);
  const hasPassword = typeof body === 'object' && body !== null && 'password' in body;
  return hasPassword ? keyed.digest(text) : sha256([text]);
}

function sha256(parts: string[]): Buffer {
  return createHash('sha256').update(parts.join('\0')).digest();
}
