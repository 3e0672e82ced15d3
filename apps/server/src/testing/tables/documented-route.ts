import type { Scope } from '@bottega/contract';
import type { TestService, TestUser } from '../service/test-service.ts';

export type Caller = { service: TestService; user: TestUser; url: (path: string) => string; token: string };

/** What is sent. `path` fills the placeholders of the route. */
export type Asked = {
  path?: string;
  json?: unknown;
  body?: string;
  headers?: Record<string, string>;
  /** Undoes what the request needed around it. */
  after?: () => Promise<void>;
};
type Ask = (caller: Caller) => Asked | Promise<Asked>;

export type Route = {
  /** Any other scope than this one is a 403. Null where every credential will do. */
  scope: Scope | null;
  /** Answered without a credential too; one that is sent has to hold. */
  isOpen?: boolean;
  /** An app's token is refused, whatever its scopes. */
  notForApps?: boolean;
  /** A JWT is refused: what is made here would outlive it. */
  makesLasting?: boolean;
  success: [status: number, ask: Ask];
  otherSuccesses?: Record<number, Ask>;
  /** Beside 400, 401, 403, 413, 415, 429 and 503, which every route answers for the same reasons. */
  refusals?: Record<number, Ask>;
  /** Documented for all writes, but nothing stands in the way of these. */
  unreachable?: number[];
};
