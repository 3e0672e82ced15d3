import type {
  Answer,
  CurrentSession,
  ErrorBody,
  ErrorCode,
  FieldError,
  Input,
  PageInfo,
  RoutesByAddress,
} from '@bottega/contract';

export type Page<Item> = { data: Item[]; pagination: PageInfo };
export type List<Item> = { data: Item[] };

type Query = Record<string, string | number | boolean | undefined>;
type Sent = {
  query?: Query;
  json?: unknown;
  body?: BodyInit;
  headers?: Record<string, string> | undefined;
  signal?: AbortSignal | undefined;
};

/** A refusal in the words of the service; `status` 0 where no answer came at all. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | 'NETWORK';
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

  /** The message of each field that was refused, by its name. */
  get fields(): Record<string, string> {
    const rows = Array.isArray(this.details) ? (this.details as FieldError[]) : [];
    return Object.fromEntries(rows.map(({ field, message }) => [field, message]));
  }
}

/** The token follows from the cookie, so it changes with every sign-in, in another tab too. */
let csrfToken = '';
export function keepCsrfToken(session: CurrentSession | null): void {
  csrfToken = session?.csrf_token ?? '';
}

async function send(method: string, path: string, { query, json, body, headers, signal }: Sent): Promise<Response> {
  const sent = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) sent.set(name, String(value));
  const address = `/v1${path}${sent.size > 0 ? `?${sent}` : ''}`;
  try {
    return await fetch(address, {
      method,
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(method !== 'GET' && { 'x-csrf-token': csrfToken }),
        ...headers,
      },
      ...(json !== undefined ? { body: JSON.stringify(json) } : body !== undefined && { body }),
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

async function ask(method: string, path: string, sent: Sent = {}): Promise<Response> {
  const tokenUsed = csrfToken;
  let answer = await send(method, path, sent);
  // Somebody signed in anew in another tab: the cookie is theirs already, only the token here is old.
  if (answer.status === 403 && method !== 'GET' && (await tokenNow()) !== tokenUsed) {
    answer = await send(method, path, sent);
  }
  if (!answer.ok) throw await refusal(answer);
  return answer;
}

async function tokenNow(): Promise<string> {
  const answer = await send('GET', '/auth/session', {});
  if (answer.ok) keepCsrfToken((await answer.json()) as CurrentSession);
  return csrfToken;
}

async function asJson<Body>(answer: Promise<Response>): Promise<Body> {
  const response = await answer;
  return (response.status === 204 ? undefined : await response.json()) as Body;
}

type Address = keyof RoutesByAddress;
type Options = {
  headers?: Record<string, string> | undefined;
  signal?: AbortSignal | undefined;
  /** Instead of JSON, where a route takes the bytes of a file. */
  bytes?: BodyInit;
};
type Request<A extends Address> = Input<RoutesByAddress[A]> & Options;
/** Optional where the route needs nothing. */
type Requested<A extends Address> = Record<never, never> extends Request<A> ? [request?: Request<A>] : [Request<A>];
type Parts = Options & { params?: Record<string, string>; query?: Query; body?: unknown };

/**
 * Calls a route of the contract: its address, what it takes and what it answers are checked by the compiler. Only types
 * come from the contract, whose schemas would be a large part of what a browser has to load first.
 */
export function call<A extends Address>(address: A, ...[request]: Requested<A>): Promise<Answer<RoutesByAddress[A]>> {
  return asJson(answerTo(address, request));
}

/** The same for what is not JSON: the answer as it came. */
export function callRaw<A extends Address>(address: A, ...[request]: Requested<A>): Promise<Response> {
  return answerTo(address, request);
}

function answerTo(address: Address, { params = {}, body, bytes, ...sent }: Parts = {}): Promise<Response> {
  const [method = '', pattern = ''] = address.split(' ');
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''));
  return ask(method, path, { ...sent, json: body, ...(bytes !== undefined && { body: bytes }) });
}

/** `Body` is the contract's type of the answer. Every method gives back what the service says, or throws an ApiError. */
export const api = {
  get: <Body>(path: string, sent?: Sent) => asJson<Body>(ask('GET', path, sent)),
  post: <Body = void>(path: string, json?: unknown, sent?: Sent) => asJson<Body>(ask('POST', path, { json, ...sent })),
  put: <Body>(path: string, sent: Sent) => asJson<Body>(ask('PUT', path, sent)),
  patch: <Body>(path: string, json: unknown) => asJson<Body>(ask('PATCH', path, { json })),
  delete: <Body = void>(path: string, sent?: Sent) => asJson<Body>(ask('DELETE', path, sent)),
  raw: (path: string, sent?: Sent) => ask('GET', path, sent),
};

/** For a creating POST: sent again with the same key, it creates nothing twice. */
export function once(): { headers: Record<string, string> } {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return {
    headers: { 'idempotency-key': Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('') },
  };
}
