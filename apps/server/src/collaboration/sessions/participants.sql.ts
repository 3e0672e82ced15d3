import { sql } from 'kysely';
import type { Queries, Trx } from '../../foundation/db/index.ts';
import type { ParticipantRow } from './sessions.sql.ts';

type Joining = { sessionId: string; userId: string; isGuest: boolean; mayWrite: boolean; mayAdmin: boolean };

const aMinuteOn = sql<Date>`now() + interval '1 minute'`;

/**
 * A participant who returns keeps a right only if it was not taken away. If a member of the project returns as a guest,
 * the rights that they got as a member do not apply either.
 */
const kept = (right: 'may_write' | 'may_admin') => sql<boolean>`session_participants.${sql.raw(right)}
  and (session_participants.is_guest or not excluded.is_guest or excluded.${sql.raw(right)})`;

/** Adds a participant. One who returns has the same rights as when they left. */
export async function putParticipant(trx: Trx, joining: Joining): Promise<void> {
  await trx
    .insertInto('session_participants')
    .values({
      session_id: joining.sessionId,
      user_id: joining.userId,
      is_guest: joining.isGuest,
      may_write: joining.mayWrite,
      may_admin: joining.mayAdmin,
      active_until: aMinuteOn,
    })
    .onConflict((row) =>
      row.columns(['session_id', 'user_id']).doUpdateSet({
        status: 'joined',
        is_guest: joining.isGuest,
        may_write: kept('may_write'),
        may_admin: kept('may_admin'),
        joined_at: sql<Date>`case when session_participants.status = 'joined' then session_participants.joined_at else now() end`,
        last_seen: sql<Date>`now()`,
        active_until: aMinuteOn,
      }),
    )
    .execute();
}

export async function setParticipantStatus(
  trx: Trx,
  { sessionId, userId, status }: { sessionId: string; userId: string; status: ParticipantRow['status'] },
): Promise<void> {
  await trx
    .updateTable('session_participants')
    .set({ status, last_seen: sql<Date>`case when status = 'joined' then now() else last_seen end` })
    .where('session_id', '=', sessionId)
    .where('user_id', '=', userId)
    .execute();
}

export async function setParticipantRights(
  trx: Trx,
  { sessionId, userId }: { sessionId: string; userId: string },
  rights: { may_write: boolean; may_admin: boolean },
): Promise<void> {
  await trx
    .updateTable('session_participants')
    .set(rights)
    .where('session_id', '=', sessionId)
    .where('user_id', '=', userId)
    .execute();
}

/** Records that the user sent a request in the session. Usually this is already recorded, and nothing is written. */
export async function noteActive(db: Queries, sessionId: string, userId: string): Promise<void> {
  await sql`
    update session_participants set last_seen = now(), active_until = ${aMinuteOn}
    where session_id = ${sessionId} and user_id = ${userId} and status = 'joined'
      and (active_until is null or active_until < now() + interval '40 seconds')`.execute(db);
}

/** Records that a socket was closed. If it was the user's last one, the participant is offline. */
export async function noteGone(
  db: Queries,
  { sessionId, userId }: { sessionId: string; userId: string },
): Promise<void> {
  await sql`
    update session_participants set last_seen = now(), active_until = null
    where session_id = ${sessionId} and user_id = ${userId}`.execute(db);
}

/** Records that all users with a socket on this node are online, in one statement. */
export async function noteSeen(db: Queries, pairs: { sessionId: string; userId: string }[]): Promise<void> {
  await sql`
    update session_participants m set last_seen = now()
    from unnest(${pairs.map(({ sessionId }) => sessionId)}::text[], ${pairs.map(({ userId }) => userId)}::text[])
      as seen(session_id, user_id)
    where m.session_id = seen.session_id and m.user_id = seen.user_id`.execute(db);
}
