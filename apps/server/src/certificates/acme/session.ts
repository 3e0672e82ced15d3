import type { KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, FlattenedSign, type JWK } from 'jose';
import { version } from '../../foundation/version.ts';

/** An authority's endpoints (RFC 8555, section 7.1.1). `renewalInfo` comes from RFC 9773. */
export type Directory = { newNonce: string; newAccount: string; newOrder: string; renewalInfo?: string };

/** A refusal by the authority, with its own message. */
export class AcmeError extends Error {
  readonly type: string;
  readonly retryAfterMs: number | null;
  constructor(type: string, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.type = type;
    this.retryAfterMs = retryAfterMs;
  }
}

export type Answer<Body> = { body: Body; location: string; retryAfterMs: number | null };

/** An account at an authority, with requests signed by its key. */
export type Session = {
  directory: Directory;
  /** The part of a key authorization after the token. */
  thumbprint: string;
  post<Body>(url: string, payload: object): Promise<Answer<Body>>;
  read<Body>(url: string): Promise<Answer<Body>>;
};

type Account = { email: string; key: KeyObject; signal: AbortSignal };

const answerMs = 30_000;
const maxTries = 3;
const badNonce = 'urn:ietf:params:acme:error:badNonce';

export async function readDirectory(url: string, signal: AbortSignal): Promise<Directory> {
  const answer = await ask(url, { signal });
  if (!answer.ok) throw new AcmeError('http', `${url} responds with ${answer.status}`);
  return (await answer.json()) as Directory;
}

/** Creates the account, or finds the one that already has this key. */
export async function openSession(directory: Directory, { email, key, signal }: Account): Promise<Session> {
  const { kty, crv, x, y } = await exportJWK(key);
  const jwk = { kty, crv, x, y } as JWK;
  let nonce: string | null = null;

  async function signed(url: string, payload: object | null, signer: object): Promise<string> {
    nonce ??= (await ask(directory.newNonce, { method: 'HEAD', signal })).headers.get('replay-nonce');
    const content = new TextEncoder().encode(payload === null ? '' : JSON.stringify(payload));
    const header = { alg: 'ES256', nonce: nonce ?? '', url, ...signer };
    return JSON.stringify(await new FlattenedSign(content).setProtectedHeader(header).sign(key));
  }

  async function send<Body>(url: string, payload: object | null, signer: object): Promise<Answer<Body>> {
    for (let tries = 1; ; tries++) {
      const body = await signed(url, payload, signer);
      const headers = { 'content-type': 'application/jose+json' };
      const answer = await ask(url, { method: 'POST', body, headers, redirect: 'error', signal });
      // A nonce is valid for one request. Every response, even a refusal, brings the next one.
      nonce = answer.headers.get('replay-nonce');
      if (answer.ok) return answerOf<Body>(answer);
      const refusal = await refusalOf(answer);
      if (refusal.type !== badNonce || tries === maxTries) throw refusal;
    }
  }

  const contact = [`mailto:${email}`];
  const account = await send(directory.newAccount, { termsOfServiceAgreed: true, contact }, { jwk });
  const signer = { kid: account.location };
  return {
    directory,
    thumbprint: await calculateJwkThumbprint(jwk),
    post: (url, payload) => send(url, payload, signer),
    read: (url) => send(url, null, signer),
  };
}

/** Sends a GET, or the request in the options. Fails if no response comes in time. */
export function ask(
  url: string,
  { signal, headers, ...options }: RequestInit & { signal: AbortSignal },
): Promise<Response> {
  return fetch(url, {
    ...options,
    headers: { 'user-agent': `bottega/${version}`, ...headers },
    signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
  }).catch((error: Error) => {
    // The cause of a fetch error holds the actual reason.
    const reason = error.cause instanceof Error ? error.cause.message : error.message;
    throw new AcmeError('network', `${new URL(url).host} cannot be reached: ${reason}`);
  });
}

async function answerOf<Body>(answer: Response): Promise<Answer<Body>> {
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  const body = (await (isJson ? answer.json() : answer.text())) as Body;
  return { body, location: answer.headers.get('location') ?? '', retryAfterMs: retryAfterOf(answer) };
}

async function refusalOf(answer: Response): Promise<AcmeError> {
  const problem = (await answer.json().catch(() => ({}))) as { type?: string; detail?: string };
  const words = problem.detail ?? `${new URL(answer.url).host} responds with ${answer.status}`;
  return new AcmeError(problem.type ?? 'http', words, retryAfterOf(answer));
}

/** `Retry-After` is either seconds or a date. */
export function retryAfterOf({ headers }: Response): number | null {
  const value = headers.get('retry-after') ?? '';
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
