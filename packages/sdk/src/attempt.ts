import { textOf } from './bounded.ts';
import { BottegaError, errorOfAnswer } from './errors.ts';

export type WireRequest = {
  method: string;
  /** The path below /v1, with its query. */
  path: string;
  body?: RequestInit['body'] | undefined;
  headers?: Record<string, string> | undefined;
  repeat?: 'key' | 'never' | undefined;
  /** With `response`, the call returns the response itself, once its headers have arrived. */
  read: 'json' | 'nothing' | 'response';
};

export type Answer = { body: unknown; status: number; headers: Headers };

type Sending = {
  fetch: typeof fetch;
  url: string;
  headers: Headers;
  timeout: number;
  signal: AbortSignal | undefined;
};

/** Sends one request. Every failure is a BottegaError. */
export async function sendOnce(request: WireRequest, sending: Sending): Promise<Answer> {
  const ending = new AbortController();
  const late = setTimeout(() => ending.abort(timedOut), sending.timeout);
  const signal = sending.signal ? AbortSignal.any([sending.signal, ending.signal]) : ending.signal;
  try {
    if (signal.aborted) throw signal.reason;
    const { method, body } = request;
    // A redirected POST would arrive as a GET.
    const redirect = method === 'GET' ? 'follow' : 'error';
    // Node requires this for a stream, because the response may arrive before the end of the stream.
    const streaming = body instanceof ReadableStream ? { duplex: 'half' as const } : {};
    const init = {
      method,
      headers: sending.headers,
      redirect,
      signal,
      ...(body !== undefined && { body }),
      ...streaming,
    };
    // A browser's fetch must not be called as a method of another object.
    const { fetch, url } = sending;
    const answer = await fetch(url, init as RequestInit);
    // 304 is a successful response to a conditional read.
    if (!answer.ok && answer.status !== 304)
      throw errorOfAnswer(answer, await textOf(answer, maxErrorBytes).catch(() => ''));
    return { body: await read(answer, request.read), status: answer.status, headers: answer.headers };
  } catch (error) {
    throw error instanceof BottegaError ? error : onTheWay(error, sending, ending.signal);
  } finally {
    clearTimeout(late);
  }
}

const timedOut = Symbol('timed out');
/** Largest error body that is read, in bytes. */
const maxErrorBytes = 1024 * 1024;

async function read(answer: Response, as: WireRequest['read']): Promise<unknown> {
  if (as === 'response') return answer;
  const text = await textOf(answer);
  if (as === 'nothing') return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `${answer.url} responded with ${answer.status} and a body that is not JSON`;
    throw new BottegaError(message, {
      code: 'UNEXPECTED_ANSWER',
      status: answer.status,
      details: text.slice(0, 1000),
      cause,
    });
  }
}

function onTheWay(cause: unknown, { url, timeout, signal }: Sending, ending: AbortSignal): BottegaError {
  if (signal?.aborted) return abortedBy(signal);
  if (ending.reason === timedOut) {
    return new BottegaError(`No response from ${url} within ${timeout} ms`, { code: 'TIMEOUT' });
  }
  return new BottegaError(`No response from ${url}: ${inWords(cause)}`, { code: 'CONNECTION_ERROR', cause });
}

export const abortedBy = (signal: AbortSignal): BottegaError =>
  new BottegaError('The call was aborted', { code: 'ABORTED', cause: signal.reason });

/** The reason of a failure. Node says "fetch failed" and gives the reason in the cause. */
function inWords(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  return [message, cause?.message || cause?.code].filter(Boolean).join(': ');
}
