import { createHash, randomBytes } from 'node:crypto';
import type { SecretBox } from '../../foundation/crypto/secret-box.ts';

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * The token has 256 random bits. It is stored encrypted, because admins can see it again. Requests are compared with
 * its digest.
 */
export function newInvite(box: SecretBox): { invite_encrypted: Buffer; invite_digest: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { invite_encrypted: box.seal(token), invite_digest: digestOf(token) };
}

/** Compares digests, so that the time it takes reveals nothing about the token. */
export const isInvite = (token: string | undefined, digest: Buffer): boolean =>
  token !== undefined && digestOf(token).equals(digest);

export const inviteLink = (publicUrl: string, sessionId: string, token: string): string =>
  `${publicUrl}/join/${sessionId}?invite=${token}`;
