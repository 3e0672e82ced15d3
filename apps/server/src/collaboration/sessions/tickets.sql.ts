import type { Plan } from '@bottega/contract';
import { sql } from 'kysely';
import { cleanRows, type Db, firstRow, type Queries, type Trx } from '../../foundation/db/index.ts';
import type { CredentialKind } from '../../foundation/http/index.ts';

export type StoredCredential = { kind: CredentialKind; id: string; part: string | null; expires_at: string | null };
type NewTicket = { digest: Buffer; sessionId: string; userId: string; credential: StoredCredential; scopes: string[] };

export async function insertTicket(trx: Trx, ticket: NewTicket, seconds: number): Promise<Date> {
  const { expires_at } = await trx
    .insertInto('session_tickets')
    .values({
      digest: ticket.digest,
      session_id: ticket.sessionId,
      user_id: ticket.userId,
      credential: JSON.stringify(ticket.credential),
      scopes: ticket.scopes,
      expires_at: sql<Date>`now() + make_interval(secs => ${seconds})`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return expires_at;
}

export type UsedTicket = {
  user_id: string;
  credential: StoredCredential;
  scopes: string[];
  plan: Plan;
  is_admin: boolean;
  suspended_at: Date | null;
};

/**
 * Uses a ticket by deleting it, so that only one of two concurrent requests succeeds. A ticket of another session is
 * not deleted.
 */
export function useTicket(db: Queries, digest: Buffer, sessionId: string): Promise<UsedTicket | undefined> {
  return firstRow<UsedTicket>(db)`
    with used as (
      delete from session_tickets
      where digest = ${digest} and session_id = ${sessionId} and expires_at > now()
      returning user_id, credential, scopes)
    select used.user_id, used.credential, used.scopes, u.plan, u.is_admin, u.suspended_at
    from used join users u on u.id = used.user_id`;
}

export const deleteExpiredTickets = (db: Db): Promise<void> =>
  cleanRows(db, { table: 'session_tickets', by: 'expires_at', where: sql`gone.expires_at < now()` });
