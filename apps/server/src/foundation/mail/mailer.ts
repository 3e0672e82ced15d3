import type { Logger } from 'pino';
import { once } from '../concurrency/once.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import type { Db } from '../db/pool.ts';
import type { Trx } from '../db/transaction.ts';
import { enqueueJob, type Tasks } from '../jobs/enqueue.ts';
import { deleteGivenUp, lockJobs, writePayload } from '../jobs/jobs.sql.ts';
import { type MailContent, type MailText, mailText } from './mail-content.ts';

type Options = {
  /** Null if there is no mail server. Mails are then logged and not sent. */
  url: string | null;
  from: string | null;
  publicUrl: () => string;
  /**
   * Seals messages that wait to be sent. They contain links that are as valuable as a password. Everywhere else, only
   * digests of such links are stored.
   */
  box: SecretBox;
  log: Logger;
};

export type Mailer = {
  /**
   * Whether mails are sent. If they are not, a link that would be mailed is returned in the response, to callers who
   * may pass it on.
   */
  isSetUp: boolean;
  /**
   * Enqueues a mail in the caller's transaction. So the mail is sent if and only if the transaction commits, and
   * sending is retried if it fails. The `account` of the recipient is the account that causes the mail. Mails of one
   * account are sent one after the other and do not delay those of other accounts.
   */
  send(trx: Trx, to: Recipient, content: MailContent): Promise<void>;
  /**
   * Sends the mail of a job. If this throws, graphile-worker retries the job with growing pauses for about three days.
   */
  deliver(job: Tasks['mail:send']): Promise<void>;
};

export type Recipient = { email: string; account: string };
type Mail = MailText & { to: string };

/** Time limits of the steps, because without them a server that does not respond would occupy a worker. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** The mail library is loaded on first use, because it is large and only the process that sends mails needs it. */
async function openTransport(url: string) {
  const { createTransport } = await import('nodemailer');
  return createTransport(url, { ...timeouts, disableFileAccess: true, disableUrlAccess: true });
}

export function createMailer({ url, from, publicUrl, box, log }: Options): Mailer {
  const transport = url === null ? null : once(() => openTransport(url));
  return {
    isSetUp: transport !== null,
    async send(trx, { email, account }, content) {
      const mail: Mail = { to: email, ...mailText(content) };
      const sealed = box.seal(JSON.stringify(mail)).toString('base64');
      await enqueueJob(trx, 'mail:send', { sealed }, { account });
    },
    async deliver({ sealed }) {
      const mail = JSON.parse(box.open(Buffer.from(sealed, 'base64'))) as Mail;
      if (!transport) {
        log.info({ to: mail.to, subject: mail.subject, text: mail.text }, 'mail not sent; no mail server is set up');
        return;
      }
      const sender = from ?? `Bottega <no-reply@${new URL(publicUrl()).hostname}>`;
      const open = await transport();
      await open.sendMail({ ...mail, from: sender, to: { name: '', address: mail.to } });
    },
  };
}

/**
 * Checks the mail server: connects and signs in without sending a mail. Returns the problem, or null if the server
 * would accept a mail.
 */
export async function describeMailServer(url: string): Promise<string | null> {
  const transport = await openTransport(url);
  return transport
    .verify()
    .then(
      () => null,
      (error: Error) => error.message,
    )
    .finally(() => transport.close());
}

/**
 * Deletes mails that could not be sent. Administrators see them for a week. After that, they are of no use to anybody,
 * and a single wrong address must not leave the service degraded for ever.
 */
export const deleteUnsentMails = (db: Db): Promise<void> => deleteGivenUp(db, 'mail:send', { days: 7 });

/** Reseals waiting mails with a new key. They are in the payload of jobs and not in a column of their own. */
export async function resealWaitingMails(trx: Trx, reseal: (sealed: Buffer) => Buffer): Promise<number> {
  const jobs = await lockJobs(trx, 'mail:send');
  for (const { id, payload } of jobs) {
    const sealed = reseal(Buffer.from(payload.sealed, 'base64')).toString('base64');
    await writePayload(trx, id, { sealed } satisfies Tasks['mail:send']);
  }
  return jobs.length;
}
