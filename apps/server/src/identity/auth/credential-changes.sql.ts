import { sql } from 'kysely';
import type { Queries } from '../../foundation/db/index.ts';

export const credentialChannel = 'bottega_credentials';

/**
 * Tells every node to forget what it remembers of credentials, as soon as this transaction commits. Where they are all
 * of one user, only that user's sockets have to be looked at. NOTIFY costs in a hot path, but revoking, rotating and
 * changing plans are rare.
 */
export async function announceCredentialChange(queries: Queries, userId?: string): Promise<void> {
  await sql`select pg_notify(${credentialChannel}, ${userId ?? ''})`.execute(queries);
}
