import { type Trx, transaction } from '../../foundation/db/index.ts';
import type { RequestCause } from '../../foundation/http/index.ts';
import { recordAudit } from '../audit/index.ts';
import { findCredentials, type UserRow } from '../users/index.ts';
import type { Accounts } from './accounts.ts';
import { raiseAlert } from './alerts.service.ts';
import { type Attempt, takeSignInAttempt } from './attempts.ts';

export type FailureReason = 'password' | 'second_factor';

/**
 * Numbers of failures that cause a warning. After each warning, the next one follows only at ten times as many
 * failures.
 */
const alertAt = new Set([10, 100, 1000, 10_000]);

/**
 * The account id under which attempts on an unknown account are recorded, so that they take as long as others and
 * administrators find them in the log.
 */
const nobody = 'unknown';

/**
 * Charges an attempt before any account is looked up. An attempt that has to wait is refused without checking its
 * password. It still counts for the warning, so that the owner learns of a burst immediately and not after the waits.
 */
export async function beginAttempt(accounts: Accounts, email: string, cause: RequestCause): Promise<Attempt> {
  const attempt = await takeSignInAttempt(accounts.db, email, cause.origin.address);
  if (!attempt.refusal) return attempt;
  const user = alertAt.has(attempt.onAccount) ? await findCredentials(accounts.db, { email }) : undefined;
  if (user) await transaction(accounts.db, (trx) => warn(trx, accounts, user, { attempt, cause, reason: 'password' }));
  throw attempt.refusal;
}

type Failure = { attempt: Attempt; cause: RequestCause; reason: FailureReason };

/** Records a wrong password or code, at a sign-in or at a confirmation. */
export async function noteFailure(accounts: Accounts, user: UserRow | null, failure: Failure): Promise<void> {
  const { attempt, cause, reason } = failure;
  await transaction(accounts.db, async (trx) => {
    const accountId = user?.id ?? nobody;
    await recordAudit(trx, { action: 'user.login_failed', accountId, details: { reason } }, cause);
    if (user && alertAt.has(attempt.onAccount)) await warn(trx, accounts, user, failure);
  });
}

async function warn(trx: Trx, accounts: Accounts, user: UserRow, { attempt, cause, reason }: Failure): Promise<void> {
  const within = minutesText(Math.max(1, Math.ceil((Date.now() - attempt.since.getTime()) / 60_000)));
  const alert = {
    type: reason === 'password' ? 'failed_sign_ins' : 'failed_second_factor',
    severity: reason === 'password' && attempt.onAccount < 100 ? ('medium' as const) : ('high' as const),
    title: 'Repeated failed attempts to sign in to your account',
    description: `There were ${attempt.onAccount} failed attempts to sign in to ${user.email} within ${within}.`,
    failedAttempts: attempt.onAccount,
    timeWindow: within,
    actionsTaken: ['Further attempts are delayed by increasing amounts of time'],
    recommendedActions: [
      'Change your password if you also use it elsewhere',
      'Set up a second factor',
      'End sessions that you do not recognise',
    ],
  };
  await raiseAlert(trx, accounts, user, { alert, cause });
}

const minutesText = (minutes: number): string => (minutes === 1 ? '1 minute' : `${minutes} minutes`);
