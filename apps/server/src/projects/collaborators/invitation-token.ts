import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, so only someone who was given it has it. Only its digest is stored. */
export function newInvitationToken(): { token: string; digest: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, digest: digestOf(token) };
}

/** Null: it cannot be a token, and the database need not be asked. */
export function invitationDigest(text: string): Buffer | null {
  return /^[\w-]{43}$/.test(text) ? digestOf(text) : null;
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();
