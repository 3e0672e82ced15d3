import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import { createSlots } from '../../concurrency/slots.ts';
import type { Db } from '../../db/index.ts';
import { principalOf } from '../request/guard.ts';

/** Runs what answers a request in the turn of the caller's account. */
export type HeavyReads = <Result>(
  request: FastifyRequest,
  reply: FastifyReply,
  /** By the database that it is given, which may be a replica: it only reads, and may be asked to read again. */
  work: (db: Db) => Promise<Result>,
) => Promise<Result>;

type Options = {
  databasePool: number;
  db: Db;
  /** A replica that will do for this request, if there is one. Throws where the caller may not read at all. */
  replicaFor(request: FastifyRequest): Promise<Db | null>;
};

/**
 * Reads that hold a connection of the database for seconds, or the event loop again and again. Together they have half
 * of the pool, and one account a quarter of that: whatever it asks for at once, the others find connections.
 */
export function heavyReads({ databasePool, db, replicaFor }: Options): HeavyReads {
  const total = Math.max(1, Math.floor(databasePool / 2));
  const slots = createSlots({ total, perAccount: Math.max(1, Math.floor(total / 4)), mostWaiting: 100 });
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

/** The primary, where the replica is away or does not know something yet. What was refused by its cost would cost it again. */
const mayDoBetter = (error: unknown): boolean => !(error instanceof AppError) || error.status === 404;

/** Nobody reads it; as a refusal it is no fault of ours in the log. */
export const hasGone = (): AppError =>
  new AppError('VALIDATION_ERROR', 'The client closed the connection', { status: 499 });
