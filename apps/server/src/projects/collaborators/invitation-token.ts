import { createHash, randomBytes } from 'node:crypto';

/** The token has 256 random bits, so only somebody who received it can have it. Only its digest is stored. */
export function newInvitationToken(): { token: string; digest: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, digest: digestOf(token) };
}

/** The digest of a token. Null if the text cannot be a token, so that no query is needed. */
export function invitationDigest(text: string): Buffer | null {
  return /^[\w-]{43}$/.test(text) ? digestOf(text) : null;
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();
