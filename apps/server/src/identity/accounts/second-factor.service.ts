import type { NewSecondFactor, RecoveryCodes, SecondFactor } from '@bottega/contract';
import { type Trx, transaction } from '../../foundation/db/index.ts';
import { type Cause, conflict, invalid } from '../../foundation/http/index.ts';
import { recordAudit } from '../audit/index.ts';
import { findUser, type UserRow } from '../users/index.ts';
import * as mails from './accounts.mail.ts';
import type { Accounts } from './accounts.ts';
import * as rows from './second-factor.sql.ts';
import { newRecoveryCode, newTotpSecret, otpauthUrl, recoveryCodeDigest, stepOfCode } from './totp.ts';

const recoveryCodes = 10;

export type FactorOutcome = 'none' | 'missing' | 'wrong' | 'totp' | 'recovery_code';

/** Checks a code and uses it up. So no code is accepted twice, not even on two nodes at the same time. */
export async function checkSecondFactor(
  { db, box }: Pick<Accounts, 'db' | 'box'>,
  userId: string,
  code: string | undefined,
): Promise<FactorOutcome> {
  const factor = await rows.findSecondFactor(db, userId);
  if (!factor?.confirmed_at) return 'none';
  if (code === undefined) return 'missing';
  if (!/^\d{6}$/.test(code)) {
    return (await rows.useRecoveryCode(db, userId, recoveryCodeDigest(userId, code))) ? 'recovery_code' : 'wrong';
  }
  const step = stepOfCode(box.open(factor.secret_encrypted), code);
  return step !== null && (await rows.useStep(db, userId, step)) ? 'totp' : 'wrong';
}

export async function readSecondFactor({ db }: Accounts, userId: string): Promise<SecondFactor> {
  const factor = await rows.findSecondFactor(db, userId);
  return {
    enabled: Boolean(factor?.confirmed_at),
    confirmed_at: factor?.confirmed_at?.toISOString() ?? null,
    recovery_codes_left: await rows.countRecoveryCodes(db, userId),
  };
}

/**
 * Begins to set up a second factor. The factor is required at sign-in only after the user has sent a first code, which
 * shows that the authenticator has the secret.
 */
export async function beginSecondFactor(
  trx: Trx,
  { box }: Accounts,
  user: { id: string; email: string },
): Promise<NewSecondFactor> {
  const secret = newTotpSecret();
  if (!(await rows.insertSecondFactor(trx, user.id, box.seal(secret)))) {
    throw conflict('The account already has a second factor; remove it first');
  }
  return { secret, otpauth_url: otpauthUrl(secret, user.email) };
}

export async function confirmSecondFactor(
  { db, box, mailer, publicUrl }: Accounts,
  userId: string,
  { code, cause }: { code: string; cause: Cause },
): Promise<RecoveryCodes> {
  return transaction(db, async (trx) => {
    const factor = await rows.findSecondFactor(trx, userId);
    if (!factor || factor.confirmed_at) throw conflict('There is no second factor to confirm');
    const step = stepOfCode(box.open(factor.secret_encrypted), code);
    if (step === null || !(await rows.useStep(trx, userId, step))) throw invalid('code', 'is not correct');
    if (!(await rows.confirmSecondFactor(trx, userId))) throw conflict('There is no second factor to confirm');
    await recordAudit(trx, { action: 'user.second_factor_enabled', accountId: userId }, cause);
    const user = await findUser(trx, userId);
    const what = 'A second factor was set up for your account';
    if (user)
      await mailer.send(
        trx,
        { email: user.email, account: user.id },
        mails.accountChanged(user.name, what, publicUrl()),
      );
    return newRecoveryCodes(trx, userId);
  });
}

export async function removeSecondFactor(
  { db, mailer, publicUrl }: Accounts,
  { id, name, email }: UserRow,
  cause: Cause,
): Promise<void> {
  await transaction(db, async (trx) => {
    if (!(await rows.deleteSecondFactor(trx, id))) throw conflict('The account has no second factor');
    await recordAudit(trx, { action: 'user.second_factor_disabled', accountId: id }, cause);
    const what = 'The second factor was removed from your account';
    await mailer.send(trx, { email, account: id }, mails.accountChanged(name, what, publicUrl()));
  });
}

export async function renewRecoveryCodes(trx: Trx, userId: string, cause: Cause): Promise<RecoveryCodes> {
  const factor = await rows.findSecondFactor(trx, userId);
  if (!factor?.confirmed_at) throw conflict('The account has no second factor');
  await recordAudit(trx, { action: 'user.recovery_codes_created', accountId: userId }, cause);
  return newRecoveryCodes(trx, userId);
}

async function newRecoveryCodes(trx: Trx, userId: string): Promise<RecoveryCodes> {
  const codes = Array.from({ length: recoveryCodes }, newRecoveryCode);
  await rows.replaceRecoveryCodes(
    trx,
    userId,
    codes.map((code) => recoveryCodeDigest(userId, code)),
  );
  return { recovery_codes: codes };
}
