import type { Logger } from 'pino';
import { once } from '../concurrency/once.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import type { Trx } from '../db/transaction.ts';
import { enqueueJob, type Tasks } from '../jobs/enqueue.ts';
import { lockJobs, writePayload } from '../jobs/jobs.sql.ts';
import { type MailContent, type MailText, mailText } from './mail-content.ts';

type Options = {
  /** Null if there is no mail server. Mails are then logged and not sent. */
  url: string | null;
  from: string | null;
  publicUrl: () => string;
  /**
   * Seals waiting messages. Their links are as valuable as a password, and elsewhere only digests of links are stored.
   */
  box: SecretBox;
  log: Logger;
};

export type Mailer = {
  /** Whether mails are sent. If not, a caller who may pass a link on gets it in the response. */
  isSetUp: boolean;
  /**
   * Enqueues a mail in the caller's transaction. So it is sent if and only if the change happens, and is retried if it
   * fails. `account` is the account that causes the mail. Its mails are sent one after the other and do not delay those
   * of other accounts.
   */
  send(trx: Trx, to: Recipient, content: MailContent): Promise<void>;
  /** Runs the job. If it throws, graphile-worker retries with growing pauses for about three days. */
  deliver(job: Tasks['mail:send']): Promise<void>;
};

export type Recipient = { email: string; account: string };
type Mail = MailText & { to: string };

/** Time limits of each step, because a server that does not respond would occupy a worker. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** The library is large, and only the process that sends needs it. */
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

/** Connects and signs in without sending a mail. Null if the server would accept one. */
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

/** Reseals waiting mails, which are in the job queue in their own format. */
export async function resealWaitingMails(trx: Trx, reseal: (sealed: Buffer) => Buffer): Promise<number> {
  const jobs = await lockJobs(trx, 'mail:send');
  for (const { id, payload } of jobs) {
    const sealed = reseal(Buffer.from(payload.sealed, 'base64')).toString('base64');
    await writePayload(trx, id, { sealed } satisfies Tasks['mail:send']);
  }
  return jobs.length;
}
