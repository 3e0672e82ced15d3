import type { FastifyReply, FastifyRequest } from 'fastify';
import { createSlots } from '../concurrency/slots.ts';
import { AppError } from './app-error.ts';
import { principalOf } from './guard.ts';

/** Runs what answers a request in the turn of the caller's account. */
export type HeavyReads = <Result>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<Result>,
) => Promise<Result>;

/**
 * Reads that hold a connection of the database for seconds, or the event loop again and again. Together they have half
 * of the pool, and one account a quarter of that: whatever it asks for at once, the others find connections.
 */
export function heavyReads(databasePool: number): HeavyReads {
  const total = Math.max(1, Math.floor(databasePool / 2));
  const slots = createSlots({ total, perAccount: Math.max(1, Math.floor(total / 4)), mostWaiting: 100 });
  return (request, reply, work) => {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort(hasGone()));
    return slots.run(principalOf(request).userId, work, gone.signal);
  };
}

/** Nobody reads it; as a refusal it is no fault of ours in the log. */
export const hasGone = (): AppError => new AppError('VALIDATION_ERROR', 'The caller has gone', { status: 499 });
