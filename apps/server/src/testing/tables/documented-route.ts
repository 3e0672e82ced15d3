import type { Scope } from '@bottega/contract';
import type { TestService, TestUser } from '../service/test-service.ts';

export type Caller = { service: TestService; user: TestUser; url: (path: string) => string; token: string };

/** The request. `path` fills the placeholders of the route. */
export type Asked = {
  path?: string;
  json?: unknown;
  body?: string;
  headers?: Record<string, string>;
  /** Undoes the preparation. */
  after?: () => Promise<void>;
};
type Ask = (caller: Caller) => Asked | Promise<Asked>;

export type Route = {
  /** Any other scope gets a 403. Null if every credential is enough. */
  scope: Scope | null;
  /** Whether the route also answers requests without a credential. A credential that is sent must be valid. */
  isOpen?: boolean;
  /** Refuses an app's token, whatever its scopes. */
  notForApps?: boolean;
  /** Whether the route refuses a JWT, because the result would outlive it. */
  makesLasting?: boolean;
  success: [status: number, ask: Ask];
  /** Programs that the service needs for every response other than a refusal of the credential or the body. */
  programs?: readonly string[];
  otherSuccesses?: Record<number, Ask>;
  /** Refusals in addition to 400, 401, 403, 413, 415, 429 and 503, which every route answers for the same reasons. */
  refusals?: Record<number, Ask>;
  /** Documented for all writes, but impossible for these. */
  unreachable?: number[];
};
