import type { FastifyRequest } from 'fastify';
import { type Db, transaction } from '../../foundation/db/index.ts';
import { AppError, causeOf, principalOf } from '../../foundation/http/index.ts';
import { join, type SessionRow } from '../sessions/index.ts';
import { addSocket, isForgotten } from './live-sockets.sql.ts';
import type { Owners } from './owners.ts';

type Options = { db: Db; owners: Owners; maxParticipants: number; socketsOfUser: number };

/**
 * Admits a socket: one transaction counts it and lets its user join the session. A user who may read the project joins
 * just by connecting.
 */
export async function admit(
  { db, owners, maxParticipants, socketsOfUser }: Options,
  request: FastifyRequest,
  { socketId, sessionId }: { socketId: string; sessionId: string },
): Promise<SessionRow> {
  const principal = principalOf(request);
  const socket = { id: socketId, node_id: owners.nodeId, session_id: sessionId, user_id: principal.userId };
  const joining = { id: sessionId, inviteToken: undefined, max: maxParticipants, cause: causeOf(request) };
  const joinAndCount = () =>
    transaction(db, async (trx) => {
      const session = await join(trx, principal, joining);
      if (!(await addSocket(trx, socket, socketsOfUser))) throw tooManySockets(socketsOfUser);
      return session;
    });
  return joinAndCount().catch(async (error: unknown) => {
    if (!isForgotten(error)) throw error;
    await owners.beatOnce();
    return joinAndCount();
  });
}

const tooManySockets = (max: number): AppError =>
  new AppError('RATE_LIMIT_EXCEEDED', `Too many connections; at most ${max} can be open at once`, {
    details: { limit: max, window: 0, reset_at: new Date().toISOString() },
    headers: { 'retry-after': '1' },
  });
