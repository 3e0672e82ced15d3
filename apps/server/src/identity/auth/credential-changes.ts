import { changing } from '../../foundation/cluster/memories.ts';
import type { Trx } from '../../foundation/db/index.ts';

/** Every process forgets what it remembers of this user's credentials; without a user, of all. */
export const announceCredentialChange = (trx: Trx, userId?: string): Promise<void> =>
  changing(trx, 'credentials', userId);
