import { type Answer, abortedBy, sendOnce, type WireRequest } from './attempt.ts';
import type { BottegaError } from './errors.ts';
import { version } from './generated/version.ts';
import type { CallOptions, ClientOptions, Token } from './options.ts';
import { environmentOf, runtimeName } from './platform.ts';
import { randomId } from './random-id.ts';
import { delayBeforeRetry, mayPass, sleep } from './retries.ts';

export type Transport = {
  send(request: WireRequest, options?: CallOptions): Promise<Answer>;
  /** The URL of the service, without a trailing slash. */
  baseUrl: string;
};

const defaultTimeout = 60_000;
const defaultRetries = 4;

/** Sends requests, and retries them if that is safe. */
export function createTransport(client: ClientOptions): Transport {
  const baseUrl = (client.baseUrl ?? environmentOf('BOTTEGA_URL') ?? '').replace(/\/+$/, '');
  if (!/^https?:\/\//.test(baseUrl)) {
    throw new TypeError('baseUrl must be the http or https address of the service, here or in BOTTEGA_URL');
  }
  const token = client.token ?? environmentOf('BOTTEGA_TOKEN');
  return { baseUrl, send: (request, options = {}) => sendUntilDone({ ...client, baseUrl, token }, request, options) };
}

type Client = ClientOptions & { baseUrl: string };

async function sendUntilDone(client: Client, request: WireRequest, options: CallOptions): Promise<Answer> {
  const call = prepare(client, request, options);
  let [isUnknown, isTokenRenewed] = [false, false];
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptOnce(client, call, attempt);
    if ('answer' in outcome) return outcome.answer;
    const { error, tell } = outcome;
    // If the first answer was lost, a 404 means that the deletion has succeeded.
    if (isUnknown && request.method === 'DELETE' && error.status === 404) {
      tell(undefined);
      return { body: undefined, status: 204, headers: new Headers() };
    }
    // The token may have expired during the request. If it is a function, it may return a new one.
    const mayRenew = error.status === 401 && typeof client.token === 'function' && !isTokenRenewed;
    const retryIn = mayRenew && call.canSendAgain ? 0 : delayOf(error, call, attempt);
    tell(retryIn);
    if (retryIn === undefined) throw error;
    isTokenRenewed ||= mayRenew;
    isUnknown ||= mayPass(error);
    await sleep(retryIn, options.signal).catch(() => {
      throw abortedBy(options.signal as AbortSignal);
    });
  }
}

type Call = ReturnType<typeof prepare>;

/** The parts that stay the same in every attempt, above all the idempotency key. */
function prepare(client: Client, request: WireRequest, options: CallOptions) {
  const headers = new Headers({
    accept: 'application/json',
    ...client.headers,
    ...request.headers,
    ...options.headers,
  });
  const runtime = runtimeName();
  if (runtime)
    headers.set('user-agent', [client.userAgent, `bottega-sdk/${version}`, runtime].filter(Boolean).join(' '));
  if (request.repeat === 'key') headers.set('idempotency-key', options.idempotencyKey ?? randomId());
  return {
    request,
    options,
    headers,
    repeat: request.repeat,
    canSendAgain: !(request.body instanceof ReadableStream),
    isConditional: request.method !== 'GET' && (headers.has('if-match') || headers.has('if-none-match')),
    maxRetries: options.maxRetries ?? client.maxRetries ?? defaultRetries,
  };
}

const delayOf = (error: BottegaError, call: Call, attempt: number): number | undefined =>
  attempt > call.maxRetries ? undefined : delayBeforeRetry(error, call, attempt);

type Outcome = { answer: Answer } | { error: BottegaError; tell(retryIn: number | undefined): void };

async function attemptOnce(client: Client, call: Call, attempt: number): Promise<Outcome> {
  const { request, options, headers } = call;
  const url = `${client.baseUrl}/v1${request.path}`;
  const token = await tokenOf(client.token);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  const started = performance.now();
  const told = () => ({ method: request.method, url, attempt, duration: performance.now() - started });
  const timeout = options.timeout ?? client.timeout ?? defaultTimeout;
  const sending = { fetch: client.fetch ?? fetch, url, headers, timeout, signal: options.signal };
  try {
    const answer = await sendOnce(request, sending);
    client.onAttempt?.({ ...told(), status: answer.status, ...idOf(answer.headers.get('x-request-id')) });
    return { answer };
  } catch (thrown) {
    const error = thrown as BottegaError;
    const about = {
      ...told(),
      error,
      ...(error.status !== undefined && { status: error.status }),
      ...idOf(error.requestId),
    };
    return { error, tell: (retryIn) => client.onAttempt?.({ ...about, ...(retryIn !== undefined && { retryIn }) }) };
  }
}

const idOf = (requestId: string | null | undefined) => (requestId ? { requestId } : {});

const tokenOf = async (token: Token | undefined): Promise<string | undefined> =>
  typeof token === 'function' ? token() : token;
