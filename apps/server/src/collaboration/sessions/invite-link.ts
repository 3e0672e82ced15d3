import { createHash, randomBytes } from 'node:crypto';
import type { SecretBox } from '../../foundation/crypto/secret-box.ts';

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** 256 random bits. Sealed, since it is shown again to those who may invite; its digest is compared. */
export function newInvite(box: SecretBox): { invite_encrypted: Buffer; invite_digest: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { invite_encrypted: box.seal(token), invite_digest: digestOf(token) };
}

/** Comparing digests tells nothing of the token, however long it takes. */
export const isInvite = (token: string | undefined, digest: Buffer): boolean =>
  token !== undefined && digestOf(token).equals(digest);

export const inviteLink = (publicUrl: string, sessionId: string, token: string): string =>
  `${publicUrl}/join/${sessionId}?invite=${token}`;
