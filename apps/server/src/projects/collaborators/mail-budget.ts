import type { Trx } from '../../foundation/db/index.ts';
import type { MailContent, Mailer, Recipient } from '../../foundation/mail/index.ts';
import { budgetKey, type Exhausted, type KeptBudget, takeFromAll } from '../../identity/rate-limits/index.ts';

/**
 * Limits mails that one account causes in another person's mailbox. A mailbox has one budget for all senders, so many
 * accounts together cannot send more mails to it than one account can. A sender has one budget for all recipients.
 */
const [hour, day] = [3600, 86_400];
const ofMailbox = [
  { max: 5, windowSeconds: hour },
  { max: 20, windowSeconds: day },
];
const ofSender = [
  { max: 100, windowSeconds: hour },
  { max: 500, windowSeconds: day },
];

/**
 * Sends a mail and returns null, or returns the budget that is exhausted. Without a mail server, nothing is counted. If
 * the content is null, because the recipient wants no mails, the mail is counted but not sent.
 */
export async function mailWithinBudget(
  trx: Trx,
  mailer: Mailer,
  to: Recipient,
  content: MailContent | null,
): Promise<Exhausted | null> {
  const exhausted = mailer.isSetUp ? await takeMail(trx, to) : null;
  if (!exhausted && content) await mailer.send(trx, to, content);
  return exhausted;
}

function takeMail(trx: Trx, { email, account }: Recipient): Promise<Exhausted | null> {
  return takeFromAll(trx, [
    ...ofMailbox.map((budget) => named(budget, 'mails to', mailboxOf(email))),
    ...ofSender.map((budget) => named(budget, 'mails of', account)),
  ]);
}

const named = (budget: Omit<KeptBudget, 'key'>, ...parts: string[]): KeptBudget => ({
  ...budget,
  key: budgetKey(...parts, String(budget.windowSeconds)),
});

/**
 * The mailbox of an address. Ada+1@example.com and ada+2@example.com are one mailbox nearly everywhere, and at Google
 * also a.d.a@. If such addresses do belong to different mailboxes, these only share a budget.
 */
export function mailboxOf(email: string): string {
  const address = email.toLowerCase();
  const at = address.lastIndexOf('@');
  const [name = '', domain] = [address.slice(0, at).split('+', 1)[0], address.slice(at + 1)];
  const isGoogle = domain === 'gmail.com' || domain === 'googlemail.com';
  return isGoogle ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}
