import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import { createSlots } from '../../concurrency/slots.ts';
import type { Db } from '../../db/index.ts';
import { principalOf } from '../request/guard.ts';

/** Runs the work for a request in the turn of the caller's account. */
export type HeavyReads = <Result>(
  request: FastifyRequest,
  reply: FastifyReply,
  /** Must use the given database, which may be a replica. It only reads, and may be called a second time. */
  work: (db: Db) => Promise<Result>,
) => Promise<Result>;

type Options = {
  databasePool: number;
  db: Db;
  /** Returns a replica that is recent enough for this request, or null. Throws if the caller may not read at all. */
  replicaFor(request: FastifyRequest): Promise<Db | null>;
};

/**
 * Reads that hold a database connection for seconds, or the event loop repeatedly. Together they get half of the pool,
 * and one account gets a quarter of that, so other accounts find connections whatever one account asks for.
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

/** The primary helps if the replica is unavailable or lacks a row. A read refused for its cost would cost it again. */
const mayDoBetter = (error: unknown): boolean => !(error instanceof AppError) || error.status === 404;

/** Nobody reads this response. As a refusal it is not logged as our fault. */
export const hasGone = (): AppError =>
  new AppError('VALIDATION_ERROR', 'The client closed the connection', { status: 499 });
