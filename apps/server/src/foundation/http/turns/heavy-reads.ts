import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import { createSlots } from '../../concurrency/slots.ts';
import type { Db } from '../../db/index.ts';
import { principalOf } from '../request/guard.ts';

/** Runs the work for a request once a slot is free for the caller's account. */
export type HeavyReads = <Result>(
  request: FastifyRequest,
  reply: FastifyReply,
  /**
   * The work. It must use the given database, which may be a replica. It must only read, because it may be called a
   * second time.
   */
  work: (db: Db) => Promise<Result>,
) => Promise<Result>;

type Options = {
  databasePool: number;
  db: Db;
  /** Returns a replica that is recent enough for this request, or null. Throws if the caller may not read at all. */
  replicaFor(request: FastifyRequest): Promise<Db | null>;
};

/**
 * Creates the queue for reads that occupy a database connection for seconds, or block the event loop repeatedly.
 * Together, they get half of the pool, and one account gets a quarter of that. So other accounts find free connections
 * whatever one account requests.
 */
export function heavyReads({ databasePool, db, replicaFor }: Options): HeavyReads {
  const total = Math.max(1, Math.floor(databasePool / 2));
  const slots = createSlots({ total, perAccount: Math.max(1, Math.floor(total / 4)), maxWaiting: 100 });
  return (request, reply, work) => {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort(hasGone()));
    const read = async () => {
      const replica = await replicaFor(request);
      return replica
        ? work(replica).catch((error) => (mayDoBetter(error) ? work(db) : Promise.reject(error)))
        : work(db);
    };
    return slots.run(principalOf(request).userId, read, gone.signal);
  };
}

/**
 * Whether to repeat a failed read on the primary. This helps if the replica is unavailable or does not have a row yet.
 * A read that was refused because of its cost would only cost the same again.
 */
const mayDoBetter = (error: unknown): boolean => !(error instanceof AppError) || error.status === 404;

/**
 * The error for a client that has disconnected. Nobody reads this response, but because it is a refusal, it is not
 * logged as our fault.
 */
export const hasGone = (): AppError =>
  new AppError('VALIDATION_ERROR', 'The client closed the connection', { status: 499 });
