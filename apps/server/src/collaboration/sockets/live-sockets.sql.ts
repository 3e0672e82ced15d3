import { sql } from 'kysely';
import { type Queries, type Trx, violatesForeignKey } from '../../foundation/db/index.ts';
import { deadAfter } from '../sessions/index.ts';

export type SocketRow = { id: string; node_id: string; session_id: string; user_id: string };

/**
 * Adds a socket. False if the user already has the maximum number of sockets. The count is protected by a lock for the
 * user, so that concurrent connections to any nodes cannot exceed it. Sockets of dead nodes do not count.
 */
export async function addSocket(trx: Trx, socket: SocketRow, max: number): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`live sockets of ${socket.user_id}`}, 0))`.execute(trx);
  const { rows } = await sql<{ open: number }>`
    select count(*) as open from live_sockets l join live_nodes n on n.id = l.node_id
    where l.user_id = ${socket.user_id} and n.beat_at > now() - ${deadAfter}`.execute(trx);
  if ((rows[0]?.open ?? 0) >= max) return false;
  await trx.insertInto('live_sockets').values(socket).execute();
  return true;
}

/** Whether this node's row was deleted because other nodes considered it dead. */
export const isForgotten = (error: unknown): boolean => violatesForeignKey(error);

export async function addSockets(db: Queries, sockets: SocketRow[]): Promise<void> {
  if (sockets.length === 0) return;
  await db
    .insertInto('live_sockets')
    .values(sockets)
    .onConflict((row) => row.doNothing())
    .execute();
}

export async function deleteSockets(db: Queries, ids: string[]): Promise<void> {
  await sql`delete from live_sockets where id = any(${ids}::text[])`.execute(db);
}

export async function countSockets(db: Queries): Promise<{ sockets: number; users: number; sessions: number }> {
  const { rows } = await sql<{ sockets: number; users: number; sessions: number }>`
    select count(*) as sockets, count(distinct l.user_id) as users, count(distinct l.session_id) as sessions
    from live_sockets l join live_nodes n on n.id = l.node_id where n.beat_at > now() - ${deadAfter}`.execute(db);
  return rows[0] ?? { sockets: 0, users: 0, sessions: 0 };
}
