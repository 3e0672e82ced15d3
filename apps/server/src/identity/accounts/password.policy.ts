import { invalid } from '../../foundation/http/index.ts';
import { commonPasswords } from './common-passwords.ts';

/**
 * Length and not composition: rules about digits and capitals make passwords that are alike. What is refused is what
 * is tried first: the common ones, one's own name or address, one character or a run of the keyboard over and over.
 */
export function mustBeGoodPassword(
  field: string,
  password: string,
  owner: { email: string; name?: string; username?: string },
): void {
  const reason = whyWeak(password, owner);
  if (reason) throw invalid(field, reason);
}

const runs = ['0123456789012345678901234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm'];

function whyWeak(password: string, { email, name = '', username = '' }: Parameters<typeof mustBeGoodPassword>[2]) {
  const plain = simplified(password);
  if (new Set(plain).size < 3) return 'repeats too few characters';
  if (commonPasswords.has(plain) || commonPasswords.has(plain.replace(/[\d!?.]+$/, ''))) {
    return 'is one of the most common passwords';
  }
  if (runs.some((run) => run.includes(plain) || [...run].reverse().join('').includes(plain))) {
    return 'is a run of neighbouring characters';
  }
  const own = [email, email.split('@')[0] ?? '', name, username].map(simplified).filter((one) => one.length >= 4);
  return own.some((one) => plain.replace(/[\d!?.]+$/, '') === one || plain === one)
    ? 'must not be the name or the address of the account'
    : null;
}

const simplified = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll(/\s/g, '');
