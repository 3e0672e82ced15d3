import type { Trx } from '../../foundation/db/index.ts';
import type { Origin } from '../../foundation/http/index.ts';
import { newId } from '../../foundation/ids.ts';
import { announceCredentialChange } from './credential-changes.ts';
import { newSessionValue, sessionDigest } from './session-cookie.ts';
import { deleteSignIns, insertSignIn, type SignInRow } from './sign-ins.sql.ts';

/** A session always ends after `days`, and earlier after `idleHours` without use. */
export type SessionLife = { days: number; idleHours: number };

export type OpenedSession = { signIn: SignInRow; value: string };

type NewSession = { userId: string; secondFactor: boolean; origin: Origin; life: SessionLife };

/** Opens a session with a new cookie value. So a cookie that was planted before the sign-in is worthless. */
export async function openSession(
  trx: Trx,
  { userId, secondFactor, origin, life }: NewSession,
): Promise<OpenedSession> {
  const value = newSessionValue();
  const signIn = await insertSignIn(
    trx,
    {
      id: newId('sgn'),
      user_id: userId,
      digest: sessionDigest(value),
      address: origin.address,
      user_agent: origin.userAgent,
      second_factor: secondFactor,
    },
    life.days,
  );
  return { signIn, value };
}

/** Ends all sessions of a user, or the selected ones. Returns the ids of those that ended. */
export async function endSessions(
  trx: Trx,
  userId: string,
  which: { id?: string; except?: string } = {},
): Promise<string[]> {
  const ended = await deleteSignIns(trx, userId, which);
  if (ended.length > 0) await announceCredentialChange(trx, userId);
  return ended;
}
