import { appendEvent } from '../../events/index.ts';
import type { Trx } from '../../foundation/db/index.ts';
import type { Cause } from '../../foundation/http/index.ts';
import { newId } from '../../foundation/ids.ts';
import { recordAudit } from '../audit/index.ts';
import type { UserRow } from '../users/index.ts';
import type { Accounts } from './accounts.ts';

export type Alert = {
  type: string;
  severity: 'low' | 'medium' | 'high' | 'critical';
  title: string;
  description: string;
  /** Null if nothing was counted. */
  failedAttempts: number | null;
  timeWindow: string | null;
  actionsTaken: string[];
  recommendedActions: string[];
};

type Alerted = Pick<UserRow, 'id' | 'email' | 'username' | 'name'>;

/**
 * Warns a user: creates the documented event, an entry in the audit log and a mail. The mail is sent even if
 * `notifications.email` is off, because it is a warning.
 */
export async function raiseAlert(
  trx: Trx,
  { mailer, publicUrl }: Pick<Accounts, 'mailer' | 'publicUrl'>,
  user: Alerted,
  { alert, cause }: { alert: Alert; cause: Cause },
): Promise<void> {
  const id = newId('alt');
  const data = {
    alert_id: id,
    alert_type: alert.type,
    severity: alert.severity,
    title: alert.title,
    description: alert.description,
    user: { user_id: user.id, username: user.username, email: user.email },
    details: {
      ip_address: cause.origin?.address ?? null,
      // The location is always null. Looking up an address would send data about our users outside the installation.
      location: null,
      user_agent: cause.origin?.userAgent ?? null,
      failed_attempts: alert.failedAttempts,
      time_window: alert.timeWindow,
    },
    actions_taken: alert.actionsTaken,
    recommended_actions: alert.recommendedActions,
  };
  await appendEvent(trx, { type: 'security.alert', accountId: user.id, projectId: null, data }, cause);
  const details = { alert_type: alert.type, severity: alert.severity };
  await recordAudit(trx, { action: 'security.alert', accountId: user.id, subjectId: id, details }, cause);
  await mailer.send(
    trx,
    { email: user.email, account: user.id },
    {
      subject: alert.title,
      greeting: `Hello ${user.name},`,
      paragraphs: [
        alert.description,
        ...(cause.origin
          ? [`The request came from ${cause.origin.address} (${cause.origin.userAgent || 'unknown client'}).`]
          : []),
        `What Bottega did: ${alert.actionsTaken.join('; ')}.`,
        `What you can do: ${alert.recommendedActions.join('; ')}.`,
      ],
      action: { label: 'Open your account', url: `${publicUrl()}/settings/security` },
    },
  );
}
