import type { BottegaError } from './errors.ts';

/** A token, or a function that is called before every request and may renew it. */
export type Token = string | (() => string | Promise<string>);

export type ClientOptions = {
  /** The URL of the service, such as `https://bottega.example.com`. Default: the environment variable `BOTTEGA_URL`. */
  baseUrl?: string | undefined;
  /** An API key, an access token, or a function that returns one. Default: the environment variable `BOTTEGA_TOKEN`. */
  token?: Token | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /** Timeout of one attempt, in milliseconds. Default: 60,000. */
  timeout?: number | undefined;
  /** Largest number of retries of a request that may be retried. Default: 4. */
  maxRetries?: number | undefined;
  /** Prepended to this package's name in `User-Agent`, if the platform allows setting it. */
  userAgent?: string | undefined;
  /** Sent with every request. */
  headers?: Record<string, string> | undefined;
  /** Called after every attempt. */
  onAttempt?: ((attempt: Attempt) => void) | undefined;
};

export type CallOptions = {
  /** Ends the call, its retries and its stream. */
  signal?: AbortSignal | undefined;
  /** Timeout of one attempt, in milliseconds. */
  timeout?: number | undefined;
  maxRetries?: number | undefined;
  headers?: Record<string, string> | undefined;
  /**
   * The key of a creating call. By default, each call gets a new key. Pass your own to repeat the call safely after a
   * crash.
   */
  idempotencyKey?: string | undefined;
};

/** One request on the wire. */
export type Attempt = {
  method: string;
  url: string;
  /** Counts from 1. */
  attempt: number;
  /** Absent if there was no answer. */
  status?: number;
  requestId?: string;
  /** Milliseconds. */
  duration: number;
  error?: BottegaError;
  /** Milliseconds until the next attempt. Absent if there is none. */
  retryIn?: number;
};
