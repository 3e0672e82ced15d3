import { invalid } from '../../foundation/http/index.ts';

type Owner = { email: string; name?: string; username?: string };

/**
 * Throws if a password is too weak. There are no rules about digits and capitals, because such rules lead to similar
 * passwords. Refused are the passwords that attackers try first: common passwords, the user's own name or address, one
 * repeated character, a repeated keyboard sequence.
 */
export async function mustBeGoodPassword(field: string, password: string, owner: Owner): Promise<void> {
  const { commonPasswords } = await import('./common-passwords.ts');
  const reason = whyWeak(password, owner, commonPasswords);
  if (reason) throw invalid(field, reason);
}

const runs = ['0123456789012345678901234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm'];

function whyWeak(password: string, { email, name = '', username = '' }: Owner, common: ReadonlySet<string>) {
  const plain = simplified(password);
  if (new Set(plain).size < 3) return 'consists of too few different characters';
  if (common.has(plain) || common.has(plain.replace(/[\d!?.]+$/, ''))) {
    return 'is one of the most common passwords';
  }
  if (runs.some((run) => run.includes(plain) || [...run].reverse().join('').includes(plain))) {
    return 'is a sequence of adjacent characters';
  }
  const own = [email, email.split('@')[0] ?? '', name, username].map(simplified).filter((one) => one.length >= 4);
  return own.some((one) => plain.replace(/[\d!?.]+$/, '') === one || plain === one)
    ? 'must not be the name or the address of the account'
    : null;
}

const simplified = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll(/\s/g, '');
