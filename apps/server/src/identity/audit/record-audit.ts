import type { AuditAction } from '@bottega/contract';
import type { Trx } from '../../foundation/db/index.ts';
import type { Cause } from '../../foundation/http/index.ts';
import { newId } from '../../foundation/ids.ts';
import { insertEntry } from './audit.sql.ts';

export type AuditEntry = {
  action: AuditAction;
  /** The account that the action affects. The entry appears in the log of this account. */
  accountId: string;
  /** The object of the action, if it is not the account itself. */
  subjectId?: string;
  /** Never contains a secret or anything private, such as the content of a file. */
  details?: Record<string, unknown>;
};

/**
 * Writes the entry in the transaction of the action, like an event. So neither the action nor the entry exists without
 * the other.
 */
export async function recordAudit(
  trx: Trx,
  entry: AuditEntry,
  { actorId, app, requestId, origin }: Cause,
): Promise<void> {
  await insertEntry(trx, {
    id: newId('aud'),
    action: entry.action,
    account_id: entry.accountId,
    actor_id: actorId,
    credential_kind: origin?.credential?.kind ?? null,
    credential_id: origin?.credential?.id ?? null,
    address: origin?.address ?? null,
    user_agent: origin?.userAgent ?? null,
    request_id: requestId,
    subject_id: entry.subjectId ?? null,
    details: JSON.stringify({ ...(app && { app_id: app.id }), ...entry.details }),
  });
}
