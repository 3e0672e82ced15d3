import { sql } from 'kysely';
import type { Queries } from '../../foundation/db/index.ts';

export const credentialChannel = 'bottega_credentials';

/**
 * Tells every node to forget what it remembers of credentials, as soon as this transaction commits. NOTIFY costs in a
 * hot path, but revoking, rotating and changing plans are rare.
 */
export async function announceCredentialChange(queries: Queries): Promise<void> {
  await sql`select pg_notify(${credentialChannel}, '')`.execute(queries);
}
