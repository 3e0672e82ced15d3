import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Slots } from '../../foundation/concurrency/slots.ts';
import type { GitCaches } from './cache.ts';
import type { GitProgram } from './git-program.ts';

/** What a request needs that only reads, and has git read for it. */
export type Fetches = {
  git: GitProgram;
  caches: Pick<GitCaches, 'withCache' | 'distrust'>;
  /** Every request that starts git takes one of these. */
  slots: Slots;
};

/** Git says something every few seconds, however long it computes; a client that takes nothing for so long is gone. */
const idleMs = 120_000;

/**
 * What git does for one request, in the turn of its account: processes are few and everybody's. Ends when the client
 * goes, also while it waits.
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
    // Otherwise there is nobody left to tell.
    if (!gone.aborted) throw error;
  }
  return reply;
}

/** Aborted when the connection is closed, be it that the client went away or that it has its answer. */
export function whenGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  if (reply.raw.destroyed) gone.abort();
  return gone.signal;
}

/** For an answer that git is still writing: whoever does not read it must not keep git waiting. */
export function mustKeepReading(reply: FastifyReply): void {
  reply.raw.setTimeout(idleMs, () => reply.raw.destroy());
}
