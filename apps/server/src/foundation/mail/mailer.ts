import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import type { SecretBox } from '../crypto/secret-box.ts';
import type { Trx } from '../db/transaction.ts';
import { enqueueJob, type Tasks } from '../jobs/enqueue.ts';
import { lockJobs, writePayload } from '../jobs/jobs.sql.ts';
import { type MailContent, type MailText, mailText } from './mail-content.ts';

type Options = {
  /** Null: there is no mail server, and mails are logged instead of sent. */
  url: string | null;
  from: string | null;
  publicUrl: () => string;
  /** Seals waiting messages: their links are as good as a password, and only digests of those are stored elsewhere. */
  box: SecretBox;
  log: Logger;
};

export type Mailer = {
  /** Whether mails are sent. If not, a caller who may pass on a link gets it in the response. */
  isSetUp: boolean;
  /**
   * Sends in the caller's transaction: the mail goes out if and only if the change happened, and is retried if it
   * fails. `account` is the account that causes it: its mails go out one after the other, and delay nobody else's.
   */
  send(trx: Trx, to: Recipient, content: MailContent): Promise<void>;
  /** Runs the job. If it throws, graphile-worker retries with growing pauses for about three days. */
  deliver(job: Tasks['mail:send']): Promise<void>;
};

export type Recipient = { email: string; account: string };
type Mail = MailText & { to: string };

/** A hanging server would hold a worker, so every step of the conversation has a time limit. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

const openTransport = (url: string) =>
  createTransport(url, { ...timeouts, disableFileAccess: true, disableUrlAccess: true });

export function createMailer({ url, from, publicUrl, box, log }: Options): Mailer {
  const transport = url === null ? null : openTransport(url);
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
      await transport.sendMail({ ...mail, from: sender, to: { name: '', address: mail.to } });
    },
  };
}

/** Connects and signs in without sending a mail. Null: the server would accept one. */
export async function describeMailServer(url: string): Promise<string | null> {
  const transport = openTransport(url);
  return transport
    .verify()
    .then(
      () => null,
      (error: Error) => error.message,
    )
    .finally(() => transport.close());
}

/** Mails that wait for their turn are in the job queue, in a form of their own. */
export async function resealWaitingMails(trx: Trx, reseal: (sealed: Buffer) => Buffer): Promise<number> {
  const jobs = await lockJobs(trx, 'mail:send');
  for (const { id, payload } of jobs) {
    const sealed = reseal(Buffer.from(payload.sealed, 'base64')).toString('base64');
    await writePayload(trx, id, { sealed } satisfies Tasks['mail:send']);
  }
  return jobs.length;
}
