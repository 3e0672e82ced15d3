import { lockTable } from '../foundation/db/database.sql.ts';
import { type Db, transaction } from '../foundation/db/index.ts';
import { causeOfRun } from '../foundation/http/index.ts';
import { issueApiKey, randomBase62 } from '../identity/auth/index.ts';
import { anyUserExists, createUser } from '../identity/users/index.ts';

export type Administrator = { email: string; password: string; apiKey: string };

const email = 'admin@bottega.localhost';

/** Creates the administrator of an empty installation. Null if there is already an account. */
export async function createFirstAdministrator(db: Db): Promise<Administrator | null> {
  if (await anyUserExists(db)) return null;
  return transaction(db, async (trx) => {
    // Two nodes may start on the same empty database. The second one finds the first one's administrator.
    await lockTable(trx, 'users', 'share row exclusive');
    if (await anyUserExists(trx)) return null;
    const password = randomBase62(20);
    const user = await createUser(
      trx,
      { email, name: 'Administrator', password, plan: 'enterprise', isAdmin: true, source: 'first_start' },
      causeOfRun(null),
    );
    const { key } = await issueApiKey(trx, { userId: user.id, name: 'First start', scopes: [], expiresAt: null });
    return { email, password, apiKey: key };
  });
}
