import type { NotificationType } from '@bottega/contract';
import { type Db, transaction } from '../foundation/db/index.ts';
import type { Tasks } from '../foundation/jobs/enqueue.ts';
import type { MailContent, Mailer } from '../foundation/mail/index.ts';
import { findUser } from '../identity/users/index.ts';
import { type NotificationRow, takeForMail } from './notifications.sql.ts';

/** The types that the digest lists. The others are mailed separately and immediately. */
const told: Partial<Record<NotificationType, (row: NotificationRow) => string>> = {
  mention: (row) => `${nameIn(row)} mentioned you in ${row.data.file_path}${quoteIn(row)}`,
  comment: (row) => `${nameIn(row)} commented on ${row.data.file_path}${quoteIn(row)}`,
  deployment_failed: ({ data }) => `A deployment to ${data.environment} failed: ${data.reason}`,
  domain_failed: ({ data }) => `The domain ${data.domain} is no longer connected: ${data.reason}`,
  review_requested: (row) => `${nameIn(row)} asks you to review ${requestIn(row)}`,
  review_submitted: (row) => `${nameIn(row)} ${verdicts[String(row.data.event)] ?? 'reviewed'} ${requestIn(row)}`,
  merge_request_comment: (row) => `${nameIn(row)} commented on ${requestIn(row)}: “${row.data.excerpt}”`,
  merge_request_mention: (row) => `${nameIn(row)} mentioned you in ${requestIn(row)}: “${row.data.excerpt}”`,
  left_queue: (row) => `${requestIn(row)} left the merge queue: ${row.data.reason}`,
  session_started: (row) => `${nameIn(row)} started the live session ${row.data.session_name}`,
};
export const digestedTypes = Object.keys(told) as NotificationType[];

const nameIn = ({ actor }: NotificationRow): string => actor?.name ?? 'Somebody';
const quoteIn = ({ data }: NotificationRow): string => `, line ${data.line}: “${data.excerpt}”`;

const requestIn = ({ data }: NotificationRow): string => `!${data.number} ${data.title}`;
const verdicts: Record<string, string> = { APPROVE: 'approved', REQUEST_CHANGES: 'asks for changes in' };

const maxListed = 20;

/** Runs the job that mails a digest. Users who have read everything meanwhile, or no longer want mails, get none. */
export async function mailDigest(
  db: Db,
  { mailer, publicUrl }: { mailer: Mailer; publicUrl: string },
  { user_id: userId }: Tasks['notifications:mail'],
): Promise<void> {
  if (!mailer.isSetUp) return;
  await transaction(db, async (trx) => {
    const user = await findUser(trx, userId);
    if (!user?.notify_email || user.suspended_at) return;
    const rows = await takeForMail(trx, userId, digestedTypes);
    if (rows.length === 0) return;
    await mailer.send(trx, { email: user.email, account: userId }, digest(user.name, rows, publicUrl));
  });
}

function digest(name: string, rows: NotificationRow[], publicUrl: string): MailContent {
  const lines = rows.slice(0, maxListed).map((row) => {
    const line = told[row.type]?.(row) ?? '';
    return row.project_name === null ? line : `${row.project_name} – ${line}`;
  });
  const rest = rows.length - lines.length;
  return {
    subject: rows.length === 1 ? (lines[0] ?? '').slice(0, 120) : `${rows.length} notifications`,
    greeting: `Hello ${name},`,
    paragraphs: [...lines, ...(rest > 0 ? [`And ${rest} more.`] : [])],
    action: { label: 'See your notifications', url: `${publicUrl}/notifications` },
    closing: [`You can turn off these e-mails in your settings: ${publicUrl}/settings/profile`],
  };
}
