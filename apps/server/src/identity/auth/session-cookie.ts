import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * The cookie contains 256 random bits and is meaningless without the database, which stores only their digest. On
 * HTTPS, the prefix `__Host-` makes browsers refuse a cookie that a neighbouring host, or anyone on plain HTTP, tries
 * to set.
 */
export function sessionCookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? '__Host-bottega_session' : 'bottega_session';
}

export const newSessionValue = (): string => randomBytes(32).toString('base64url');

export const sessionDigest = (value: string): Buffer => hash('sha256', value, 'buffer');

/**
 * Reads the session cookie. Null if there is none or if there are several, because then at least one was planted, and
 * it is unclear which.
 */
export function sessionValueOf(header: string | undefined, publicUrl: string): string | null {
  if (header === undefined) return null;
  const prefix = `${sessionCookieName(publicUrl)}=`;
  const values = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix));
  const value = values[0]?.slice(prefix.length) ?? '';
  return values.length === 1 && /^[\w-]{43}$/.test(value) ? value : null;
}

/**
 * Adds the attributes of the cookie. `SameSite` is Lax and not Strict, because a link in a mail should open the
 * dashboard signed in. Requests that change something require more than the cookie.
 */
function withAttributes(pair: string, expiry: string, publicUrl: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${pair}; Path=/; ${expiry}; HttpOnly; SameSite=Lax${secure}`;
}

export function sessionCookie(value: string, { publicUrl, expiresAt }: { publicUrl: string; expiresAt: Date }): string {
  return withAttributes(`${sessionCookieName(publicUrl)}=${value}`, `Expires=${expiresAt.toUTCString()}`, publicUrl);
}

export function clearedSessionCookie(publicUrl: string): string {
  return withAttributes(`${sessionCookieName(publicUrl)}=`, 'Max-Age=0', publicUrl);
}

/**
 * A token that our pages send with every change, and that other pages cannot know. It is derived from the cookie, which
 * no script can read. So it need not be stored, and it ends with the session.
 */
export function csrfTokenOf(value: string): string {
  return createHmac('sha256', value).update('bottega csrf').digest('base64url');
}

export function csrfTokenMatches(value: string, token: unknown): boolean {
  if (typeof token !== 'string') return false;
  const [expected, given] = [Buffer.from(csrfTokenOf(value)), Buffer.from(token)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}
