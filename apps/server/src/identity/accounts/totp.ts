import { createHash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const periodSeconds = 30;

/** The parameters that every authenticator app supports: SHA-1, six digits, thirty seconds (RFC 6238). */
const totpOf = (base32: string, label: string): TOTP =>
  new TOTP({ issuer: 'Bottega', label, secret: Secret.fromBase32(base32), digits: 6, period: periodSeconds });

export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

export const otpauthUrl = (base32: string, email: string): string => totpOf(base32, email).toString();

/**
 * Returns the time step of the code. It can be the current, previous or next step, because clocks differ. Null for any
 * other code.
 */
export function stepOfCode(base32: string, code: string, now: number = Date.now()): number | null {
  const delta = totpOf(base32, '').validate({ token: code, timestamp: now, window: 1 });
  return delta === null ? null : Math.floor(now / 1000 / periodSeconds) + delta;
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** Creates a recovery code with 80 random bits. With so many, a plain digest without a salt is safe. */
export function newRecoveryCode(): string {
  const letters = [...randomBytes(16)].map((byte) => alphabet.charAt(byte % 32)).join('');
  return letters.replace(/(.{4})(?=.)/g, '$1-');
}

/** The digest of a recovery code. The code may be typed with capitals, without dashes, or with an o for a zero. */
export function recoveryCodeDigest(userId: string, typed: string): Buffer {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return createHash('sha256').update(`${userId}\0${code}`).digest();
}
