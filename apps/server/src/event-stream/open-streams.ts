import { isDeepStrictEqual } from 'node:util';
import type { FastifyRequest } from 'fastify';
import { AppError, type Guard, type Principal } from '../foundation/http/index.ts';

/** Maximum number of open streams of one account, and of all accounts, in one process. */
const maxPerAccount = 25;
const maxTotal = 5_000;

type OpenStream = { request: FastifyRequest; principal: Principal; ending: AbortController };

type Admitted = {
  signal: AbortSignal;
  /** Ends the stream if its credential was revoked or restricted before the stream was admitted. */
  check(): Promise<void>;
  end(): void;
  close(): void;
};

export type OpenStreams = ReturnType<typeof createOpenStreams>;

/**
 * The open streams of this process. Credentials are checked once per request, but a stream is one long request. So this
 * object ends a stream when its credential is revoked or restricted. The client then reconnects with the remaining
 * rights.
 */
export function createOpenStreams({ authenticate }: { authenticate: Guard['authenticate'] }) {
  const open = new Set<OpenStream>();
  const countOf = (userId: string) => [...open].filter(({ principal }) => principal.userId === userId).length;

  async function check(stream: OpenStream): Promise<void> {
    try {
      const now = await authenticate(stream.request);
      if (now === null || !isDeepStrictEqual(rightsOf(now), rightsOf(stream.principal))) stream.ending.abort();
    } catch {
      stream.ending.abort();
    }
  }

  return {
    count: () => open.size,
    /** Throws if too many streams are open. */
    admit(request: FastifyRequest, principal: Principal): Admitted {
      if (open.size >= maxTotal) throw tooManyInAll();
      if (countOf(principal.userId) >= maxPerAccount) throw tooManyOfAccount();
      const stream = { request, principal, ending: new AbortController() };
      open.add(stream);
      const { expiresAt } = principal.credential;
      // When the stream ends, the client reconnects. The new request is refused, unless the expiry was too far away for
      // one timer and the credential is still valid.
      const expiry = expiresAt && setTimeout(() => stream.ending.abort(), untilThen(expiresAt));
      const end = () => stream.ending.abort();
      return {
        signal: stream.ending.signal,
        check: () => check(stream),
        end,
        close() {
          open.delete(stream);
          if (expiry) clearTimeout(expiry);
          end();
        },
      };
    },
    /** Checks the streams of one user, or all streams without a user. */
    credentialsChanged(userId?: string) {
      for (const stream of open) if (userId === undefined || stream.principal.userId === userId) void check(stream);
    },
    endAll() {
      for (const { ending } of open) ending.abort();
    },
  };
}

const rightsOf = ({ userId, scopes, isAdmin, serviceAccount }: Principal) => ({
  userId,
  scopes,
  isAdmin,
  serviceAccount,
});

const longestTimerMs = 2_147_483_647;
const untilThen = (time: Date): number => Math.min(longestTimerMs, Math.max(0, time.getTime() - Date.now()));

const retryAfter = { 'retry-after': '10' };
const tooManyOfAccount = () =>
  new AppError('RATE_LIMIT_EXCEEDED', `An account can have at most ${maxPerAccount} open event streams`, {
    headers: retryAfter,
    details: { limit: maxPerAccount },
  });
const tooManyInAll = () =>
  new AppError('SERVICE_UNAVAILABLE', 'The service has too many open event streams; try again in a moment', {
    headers: retryAfter,
  });
