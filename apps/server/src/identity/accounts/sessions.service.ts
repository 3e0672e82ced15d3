import type { BrowserSession, CurrentSession } from '@bottega/contract';
import { appendEvent } from '../../events/index.ts';
import { transaction } from '../../foundation/db/index.ts';
import { type Cause, notFound, type Principal, unauthenticated } from '../../foundation/http/index.ts';
import { isId } from '../../foundation/ids.ts';
import { recordAudit } from '../audit/index.ts';
import { csrfTokenOf, endSessions, findSignIn, listSignIns, type SignInRow } from '../auth/index.ts';
import { asUser, findUser, type UserRow, userEventData } from '../users/index.ts';
import type { Accounts } from './accounts.ts';

type Shown = { user: UserRow; signIn: SignInRow; value: string };

export function asCurrentSession({ user, signIn, value }: Shown, publicUrl: string): CurrentSession {
  return {
    ...fieldsOf(signIn),
    csrf_token: csrfTokenOf(value),
    user: asUser(user, publicUrl),
    is_admin: user.is_admin,
    email_verified: user.email_verified_at !== null,
  };
}

export async function readCurrentSession(
  { db, publicUrl }: Accounts,
  { userId, credential }: Principal,
  value: string,
): Promise<CurrentSession> {
  const [user, signIn] = await Promise.all([findUser(db, userId), findSignIn(db, credential.id)]);
  if (!user || !signIn) throw unauthenticated('The session has ended; sign in again');
  return asCurrentSession({ user, signIn, value }, publicUrl());
}

export async function listSessions({ db, life }: Accounts, principal: Principal): Promise<BrowserSession[]> {
  const signIns = await listSignIns(db, principal.userId, life.idleHours);
  return signIns.map((signIn) => ({ ...fieldsOf(signIn), current: signIn.id === principal.credential.id }));
}

export async function signOut({ db }: Accounts, { userId, credential }: Principal, cause: Cause): Promise<void> {
  await transaction(db, async (trx) => {
    const [ended] = await endSessions(trx, userId, { id: credential.id });
    const user = await findUser(trx, userId);
    // If two requests sign out at the same time, only one of them ends the session and reports it.
    if (!ended || !user) return;
    const data = { ...userEventData(user), session_id: ended, signed_out_at: new Date().toISOString() };
    await appendEvent(trx, { type: 'user.logout', accountId: userId, projectId: null, data }, cause);
    await recordAudit(trx, { action: 'user.logout', accountId: userId, subjectId: ended }, cause);
  });
}

export async function revokeSession({ db }: Accounts, { userId }: Principal, id: string, cause: Cause): Promise<void> {
  await transaction(db, async (trx) => {
    const ended = isId('sgn', id) ? await endSessions(trx, userId, { id }) : [];
    if (ended.length === 0) throw notFound('Session');
    await recordAudit(trx, { action: 'user.session_revoked', accountId: userId, subjectId: id }, cause);
  });
}

export async function revokeOtherSessions(
  { db }: Accounts,
  { userId, credential }: Principal,
  cause: Cause,
): Promise<void> {
  await transaction(db, async (trx) => {
    for (const id of await endSessions(trx, userId, { except: credential.id })) {
      await recordAudit(trx, { action: 'user.session_revoked', accountId: userId, subjectId: id }, cause);
    }
  });
}

function fieldsOf(signIn: SignInRow): Omit<BrowserSession, 'current'> {
  return {
    id: signIn.id,
    address: signIn.address,
    user_agent: signIn.user_agent,
    second_factor: signIn.second_factor,
    created_at: signIn.created_at.toISOString(),
    last_used_at: signIn.last_used_at.toISOString(),
    expires_at: signIn.expires_at.toISOString(),
  };
}
