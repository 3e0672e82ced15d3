import { sql } from 'kysely';
import { changing } from '../../foundation/cluster/cache-registry.ts';
import { firstRow, type Trx } from '../../foundation/db/index.ts';

/** A webhook with its owner, and whether the owner wants emails about it. */
export type Notice = {
  name: string;
  url: string;
  email: string;
  owner: string;
  owner_id: string;
  project_id: string | null;
  notify: boolean;
};

const columns = sql`w.name, w.url, u.email, u.name as owner, w.owner_id, w.project_id, u.notify_email as notify`;

export function findNotice(trx: Trx, webhookId: string): Promise<Notice | undefined> {
  return firstRow<Notice>(trx)`
    select ${columns} from webhooks as w join users as u on u.id = w.owner_id where w.id = ${webhookId}`;
}

/** Deactivates a webhook. Returns undefined if it was already inactive, so that nobody is notified again. */
export async function deactivateWebhook(trx: Trx, webhookId: string, reason: string): Promise<Notice | undefined> {
  await changing(trx, 'webhooks');
  return firstRow<Notice>(trx)`
    update webhooks as w set active = false, disabled_reason = ${reason}, disabled_at = now()
    from users as u where w.id = ${webhookId} and w.active and u.id = w.owner_id
    returning ${columns}`;
}
