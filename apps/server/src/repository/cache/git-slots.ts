import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Slots } from '../../foundation/concurrency/slots.ts';
import type { GitCaches } from './cache.ts';
import type { GitProgram } from './git-program.ts';

/** The parts that a read-only request for git needs. */
export type Fetches = {
  git: GitProgram;
  caches: Pick<GitCaches, 'withCache' | 'distrust'>;
  /** Every request that starts git takes one slot. */
  slots: Slots;
};

/**
 * Longest time without progress. Git writes something every few seconds, so a client that reads nothing for this long
 * has disconnected.
 */
const idleMs = 120_000;

/**
 * Runs git for one request when it is the turn of its account, because all accounts share a few processes. The request
 * ends when the client disconnects, even while it still waits.
 */
export async function withGitSlot(
  slots: Slots,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  work: (signal: AbortSignal) => Promise<void>,
): Promise<FastifyReply> {
  const gone = whenGone(reply);
  try {
    await slots.run(request.principal?.userId ?? request.ip, () => work(gone), gone);
  } catch (error) {
    // If the client has disconnected, nobody would get the response.
    if (!gone.aborted) throw error;
  }
  return reply;
}

/** Aborts when the connection closes, either because the client disconnected or because the response is complete. */
export function whenGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  if (reply.raw.destroyed) gone.abort();
  return gone.signal;
}

/** Ends a response that git is still writing if the client does not read it, because that would block git. */
export function mustKeepReading(reply: FastifyReply): void {
  reply.raw.setTimeout(idleMs, () => reply.raw.destroy());
}
