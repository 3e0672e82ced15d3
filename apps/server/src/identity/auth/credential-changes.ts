import { changing } from '../../foundation/cluster/cache-registry.ts';
import type { Trx } from '../../foundation/db/index.ts';

/** Makes every process drop its cached credentials of this user; without a user, all of them. */
export const announceCredentialChange = (trx: Trx, userId?: string): Promise<void> =>
  changing(trx, 'credentials', userId);
