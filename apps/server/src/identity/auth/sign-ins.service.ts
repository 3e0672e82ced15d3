import type { Trx } from '../../foundation/db/index.ts';
import type { Origin } from '../../foundation/http/index.ts';
import { newId } from '../../foundation/ids.ts';
import { announceCredentialChange } from './credential-changes.ts';
import { newSessionValue, sessionDigest } from './session-cookie.ts';
import { deleteSignIns, insertSignIn, type SignInRow } from './sign-ins.sql.ts';

/** Days after which a session ends however often it is used, and hours without use after which it ends sooner. */
export type SessionLife = { days: number; idleHours: number };

export type OpenedSession = { signIn: SignInRow; value: string };

type NewSession = { userId: string; secondFactor: boolean; origin: Origin; life: SessionLife };

/** Always a new value: one that somebody planted before the sign-in is worth nothing after it. */
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

/** All of a user's sessions, or those that are meant; what is returned are the ids of those that ended. */
export async function endSessions(
  trx: Trx,
  userId: string,
  which: { id?: string; except?: string } = {},
): Promise<string[]> {
  const ended = await deleteSignIns(trx, userId, which);
  if (ended.length > 0) await announceCredentialChange(trx, userId);
  return ended;
}
