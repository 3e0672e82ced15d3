import { reasonSentence } from '@bottega/contract';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { causeOfRun } from '../../foundation/http/index.ts';
import type { Mailer } from '../../foundation/mail/index.ts';
import { notify } from '../../notifications/index.ts';
import { deactivateWebhook, findNotice, type Notice } from './notices.sql.ts';

type OffReason = 'failing' | 'gone' | 'costly';

const why: Record<OffReason, string> = {
  failing: reasonSentence('deliveries_failing'),
  gone: reasonSentence('endpoint_gone'),
  costly: reasonSentence('filters_too_slow'),
};

const repaired = 'When the endpoint works again, activate the webhook.';
const advice: Record<OffReason, string> = {
  failing: repaired,
  gone: repaired,
  costly: 'Use fewer or shorter path filters, or fewer webhooks with path filters, then activate the webhook.',
};

/**
 * Turns off a webhook, stores its `disabled_reason` and notifies its owner. It uses a separate transaction, because one
 * that has already locked the webhook's health could deadlock with a change by the owner, which locks the webhook first
 * and then its health. If the process ends before the commit, the next failed delivery causes another call.
 */
export async function switchOff(db: Db, mailer: Mailer, webhookId: string, reason: OffReason): Promise<void> {
  await transaction(db, async (trx) => {
    const notice = await deactivateWebhook(trx, webhookId, why[reason]);
    if (notice) await notifyOwner(trx, webhookId, notice, why[reason]);
    await tellOwner(trx, mailer, notice, ({ name, url }) => ({
      subject: `Webhook ${name} was disabled`,
      paragraphs: [
        `Your webhook ${name}, which delivers to ${url}, was disabled. ${why[reason]}.`,
        `${advice[reason]} Then you can recover the events that it missed.`,
      ],
    }));
  });
}

/** Notifies the owner at the first pause, long before the webhook is turned off. */
export async function warnOfPause(db: Db, mailer: Mailer, webhookId: string): Promise<void> {
  await transaction(db, async (trx) => {
    await tellOwner(trx, mailer, await findNotice(trx, webhookId), ({ name, url }) => ({
      subject: `Webhook ${name} is failing`,
      paragraphs: [
        `The last deliveries of your webhook ${name} to ${url} all failed. The webhook is paused, and Bottega retries it at increasing intervals.`,
        'No events are lost: they are delivered when the endpoint responds again. If it does not, the webhook is disabled.',
      ],
    }));
  });
}

async function notifyOwner(trx: Trx, id: string, notice: Notice, reason: string): Promise<void> {
  const { owner_id: owner, project_id: projectId, name } = notice;
  const data = { webhook_id: id, webhook_name: name, reason };
  await notify(trx, { type: 'webhook_disabled', to: [owner], projectId, actorId: null, data }, causeOfRun(null));
}

type Words = { subject: string; paragraphs: string[] };

async function tellOwner(
  trx: Trx,
  mailer: Mailer,
  notice: Notice | undefined,
  words: (notice: Notice) => Words,
): Promise<void> {
  if (!notice?.notify) return;
  const { email, owner, owner_id: account } = notice;
  await mailer.send(trx, { email, account }, { ...words(notice), greeting: `Hello ${owner},` });
}
