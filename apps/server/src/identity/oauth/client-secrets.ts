import { createHash, timingSafeEqual } from 'node:crypto';
import type { Db } from '../../foundation/db/index.ts';
import { randomBase62 } from '../auth/index.ts';
import { liveSecrets } from './apps.sql.ts';

/** A new secret: 256 random bits after a prefix that scanners for leaked secrets can find. */
export const newClientSecret = (): string => `bts_${randomBase62(43)}`;

export const secretHint = (secret: string): string => `${secret.slice(0, 8)}…`;

/**
 * The digest of a secret. Only the digest is stored. As with API keys, a plain digest is enough for 256 random bits.
 */
export const secretDigest = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Whether an app has this secret. While two secrets overlap, both are valid. */
export async function holdsSecret(db: Db, appId: string, secret: string): Promise<boolean> {
  const digest = secretDigest(secret);
  const secrets = await liveSecrets(db, [appId]);
  return secrets.some((one) => timingSafeEqual(one.digest, digest));
}
