import { sql } from 'kysely';
import type { Db } from '../foundation/db/pool.ts';
import { type Trx, transaction } from '../foundation/db/transaction.ts';
import type { Mailer } from '../foundation/mail/index.ts';

type Told = { name: string; url: string; email: string; owner: string; owner_id: string; notify: boolean };
export type OffReason = 'failing' | 'gone';

const why: Record<OffReason, string> = {
  failing: 'Its deliveries have failed for too long',
  gone: 'The endpoint answered 410 Gone',
};

/**
 * Switches a webhook off, says so in its `disabled_reason`, and tells its owner. In a transaction of its own: one that
 * holds the health of the webhook would meet an owner's change of it, which takes the two in the other order. Where the
 * process ends before, the next failure comes here again.
 */
export async function switchOff(db: Db, mailer: Mailer, webhookId: string, reason: OffReason): Promise<void> {
  await transaction(db, async (trx) => {
    const { rows } = await sql<Told>`
      update webhooks as w set active = false, disabled_reason = ${why[reason]}, disabled_at = now()
      from users as u where w.id = ${webhookId} and w.active and u.id = w.owner_id
      returning w.name, w.url, u.email, u.name as owner, w.owner_id, u.notify_email as notify`.execute(trx);
    const [told] = rows;
    if (!told?.notify) return;
    await mailer.send(
      trx,
      { email: told.email, account: told.owner_id },
      {
        subject: `Webhook ${told.name} was switched off`,
        greeting: `Hello ${told.owner},`,
        paragraphs: [
          `your webhook ${told.name}, which delivers to ${told.url}, was switched off. ${why[reason]}.`,
          'Once the endpoint works again, make the webhook active. What it has missed can then be recovered.',
        ],
      },
    );
  });
}

/** Tells the owner at the first pause, long before the webhook would be switched off. */
export async function warnOfPause(db: Db, mailer: Mailer, webhookId: string): Promise<void> {
  await transaction(db, async (trx) => {
    const told = await readTold(trx, webhookId);
    if (!told?.notify) return;
    await mailer.send(
      trx,
      { email: told.email, account: told.owner_id },
      {
        subject: `Webhook ${told.name} fails`,
        greeting: `Hello ${told.owner},`,
        paragraphs: [
          `the last deliveries of your webhook ${told.name} to ${told.url} have all failed. It pauses, and is tried again less and less often.`,
          'Nothing is lost: what happens in the meantime is delivered when the endpoint answers again. If it never does, the webhook is switched off.',
        ],
      },
    );
  });
}

async function readTold(trx: Trx, webhookId: string): Promise<Told | undefined> {
  return trx
    .selectFrom('webhooks as w')
    .innerJoin('users as u', 'u.id', 'w.owner_id')
    .select(['w.name', 'w.url', 'u.email', 'u.name as owner', 'w.owner_id', 'u.notify_email as notify'])
    .where('w.id', '=', webhookId)
    .executeTakeFirst();
}
