import type { Answer, CurrentSession, ErrorBody, FieldError, Input, RoutesByAddress } from '@bottega/contract';
import { givenAnswer } from './given-answer.ts';

type Address = keyof RoutesByAddress;
type Options = { headers?: Record<string, string> | undefined; signal?: AbortSignal | undefined };
/** The input of a route that accepts the bytes of a file instead of JSON. */
type Bytes<R> = R extends { body: { content: { 'application/octet-stream': unknown } } } ? { bytes: Blob } : never;
type Taken<Json, R> = Json | (Omit<Json, 'body'> & Bytes<R>);
type Request<A extends Address> = Taken<Input<RoutesByAddress[A]>, RoutesByAddress[A]> & Options;
/** The input of a call. It is optional if the route needs nothing. */
type Requested<A extends Address> = Record<never, never> extends Request<A> ? [request?: Request<A>] : [Request<A>];
type Sent = Options & {
  params?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  bytes?: Blob;
};

/** A refusal with the service's message; `status` is 0 if there was no answer. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorBody['error']['code'] | 'NETWORK';
  readonly requestId: string | null;
  readonly details: ErrorBody['error']['details'];

  constructor(
    message: string,
    answer: Pick<ApiError, 'status' | 'code' | 'requestId'> & { details?: ApiError['details'] },
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = answer.status;
    this.code = answer.code;
    this.requestId = answer.requestId;
    this.details = answer.details ?? [];
  }

  /** The message for each refused field, by name. */
  get fields(): Record<string, string> {
    const rows = Array.isArray(this.details) ? (this.details as FieldError[]) : [];
    return Object.fromEntries(rows.map(({ field, message }) => [field, message]));
  }
}

/** The CSRF token of the session. It depends on the cookie, so it changes with every sign-in, also in another tab. */
let csrfToken = '';
export function keepCsrfToken(session: CurrentSession | null): void {
  csrfToken = session?.csrf_token ?? '';
}

function urlOf(address: Address, { params = {}, query = {} }: Sent = {}): string {
  const pattern = address.slice(address.indexOf('/'));
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''));
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, String(value));
  return `/v1${path}${asked.size > 0 ? `?${asked}` : ''}`;
}

/** A URL for requests of the browser itself: a download, a picture, an event stream, a socket. */
export function linkTo<A extends Address & `GET ${string}`>(address: A, ...[request]: Requested<A>): string {
  return urlOf(address, request);
}

async function send(address: Address, request: Sent = {}): Promise<Response> {
  const { body, bytes, headers, signal } = request;
  const method = address.slice(0, address.indexOf(' '));
  const url = urlOf(address, request);
  const given = method === 'GET' && givenAnswer(url);
  if (given) return given;
  const sent = bytes ?? (body === undefined ? undefined : JSON.stringify(body));
  try {
    return await fetch(url, {
      method,
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        ...(sent !== undefined && { 'content-type': bytes ? 'application/octet-stream' : 'application/json' }),
        ...(method !== 'GET' && { 'x-csrf-token': csrfToken }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError('The service cannot be reached', { status: 0, code: 'NETWORK', requestId: null });
  }
}

async function refusal(answer: Response): Promise<ApiError> {
  const requestId = answer.headers.get('x-request-id');
  const { status } = answer;
  const body = (await answer.json().catch(() => null)) as ErrorBody | null;
  if (!body?.error) return new ApiError(`The service answered ${status}`, { status, code: 'NETWORK', requestId });
  const { code, message, details } = body.error;
  return new ApiError(message, { status, code, requestId, details });
}

async function tokenNow(): Promise<string> {
  const answer = await send('GET /auth/session');
  if (answer.ok) keepCsrfToken((await answer.json()) as CurrentSession);
  return csrfToken;
}

/** For answers that are not JSON: returns the response. */
export async function callRaw<A extends Address>(address: A, ...[request]: Requested<A>): Promise<Response> {
  const tokenUsed = csrfToken;
  let answer = await send(address, request);
  // If somebody has signed in again in another tab, the cookie is new but the token here is still the old one. So the
  // request is repeated with the new token.
  if (answer.status === 403 && !address.startsWith('GET ') && (await tokenNow()) !== tokenUsed) {
    answer = await send(address, request);
  }
  if (!answer.ok) throw await refusal(answer);
  return answer;
}

/**
 * Calls a route of the contract; the compiler checks its address, input and answer. Only types are imported from the
 * contract, because its schemas would be a large part of the first load. A refusal is thrown as an ApiError.
 */
export async function call<A extends Address>(
  address: A,
  ...request: Requested<A>
): Promise<Answer<RoutesByAddress[A]>> {
  const answer = await callRaw(address, ...request);
  return (answer.status === 204 ? undefined : await answer.json()) as Answer<RoutesByAddress[A]>;
}

/** For `catch`: a refusal with this status becomes null, because there is nothing to read. */
export const nullAt =
  (status: number) =>
  (error: unknown): null => {
    if (error instanceof ApiError && error.status === status) return null;
    throw error;
  };

/** Headers for a creating POST. If it is sent again with the same headers, it creates nothing twice. */
export function once(): { headers: Record<string, string> } {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return {
    headers: { 'idempotency-key': Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('') },
  };
}
