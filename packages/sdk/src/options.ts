import type { BottegaError } from './errors.ts';

/** A text, or a function that is asked before every request and may renew it. */
export type Token = string | (() => string | Promise<string>);

export type ClientOptions = {
  /** Where the service is, such as `https://bottega.example.com`. Without it: `BOTTEGA_URL` of the environment. */
  baseUrl?: string | undefined;
  /** An API key, an access token, or a function that gets one. Without it: `BOTTEGA_TOKEN` of the environment. */
  token?: Token | undefined;
  /** Instead of the global one. */
  fetch?: typeof fetch | undefined;
  /** Milliseconds for one attempt. Default: 60,000. */
  timeout?: number | undefined;
  /** How often a request is sent again that may be. Default: 4. */
  maxRetries?: number | undefined;
  /** Put before the name of this package in `User-Agent`, where the platform lets one set it. */
  userAgent?: string | undefined;
  /** Sent with every request. */
  headers?: Record<string, string> | undefined;
  /** Is told of every attempt, when it is over. */
  onAttempt?: ((attempt: Attempt) => void) | undefined;
};

export type CallOptions = {
  /** Ends the call, its repetitions and a stream of it. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt. */
  timeout?: number | undefined;
  maxRetries?: number | undefined;
  headers?: Record<string, string> | undefined;
  /** Of a creating call. Without it, one is made for each call; give your own to go on after a crash. */
  idempotencyKey?: string | undefined;
};

/** One request on the wire. */
export type Attempt = {
  method: string;
  url: string;
  /** From 1. */
  attempt: number;
  /** Absent where no answer came. */
  status?: number;
  requestId?: string;
  /** Milliseconds. */
  duration: number;
  error?: BottegaError;
  /** Milliseconds until it is sent again; absent where it is not. */
  retryIn?: number;
};
