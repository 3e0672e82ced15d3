import { sql } from 'kysely';
import type { Trx } from '../foundation/db/transaction.ts';

/** A webhook, its owner, and whether they want mails about it. */
export type Notice = { name: string; url: string; email: string; owner: string; owner_id: string; notify: boolean };

const columns = sql`w.name, w.url, u.email, u.name as owner, w.owner_id, u.notify_email as notify`;

export async function findNotice(trx: Trx, webhookId: string): Promise<Notice | undefined> {
  const { rows } = await sql<Notice>`
    select ${columns} from webhooks as w join users as u on u.id = w.owner_id where w.id = ${webhookId}`.execute(trx);
  return rows[0];
}

/** Undefined: it was not active, and nobody has to be told again. */
export async function deactivateWebhook(trx: Trx, webhookId: string, reason: string): Promise<Notice | undefined> {
  const { rows } = await sql<Notice>`
    update webhooks as w set active = false, disabled_reason = ${reason}, disabled_at = now()
    from users as u where w.id = ${webhookId} and w.active and u.id = w.owner_id
    returning ${columns}`.execute(trx);
  return rows[0];
}
