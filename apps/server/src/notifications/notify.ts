import type { NotificationData, NotificationType } from '@bottega/contract';
import { appendEvents } from '../events/index.ts';
import type { Trx } from '../foundation/db/index.ts';
import type { Cause } from '../foundation/http/index.ts';
import { newId } from '../foundation/ids.ts';
import { enqueueJob } from '../foundation/jobs/enqueue.ts';
import { digestedTypes } from './digest.service.ts';
import { findMembers, insertNotifications } from './notifications.sql.ts';

type Notice<Type extends NotificationType> = {
  type: Type;
  /** `members`: everyone who may read the project as a member. */
  to: readonly (string | null)[] | 'members';
  projectId: string | null;
  /** The user who caused the notification. This user does not get it. */
  actorId: string | null;
  data: NotificationData[Type];
};
export type NewNotification = { [Type in NotificationType]: Notice<Type> }[NotificationType];

/** Unread notifications are mailed together after this time: at most four mails an hour, and none to active users. */
const digestSeconds = 15 * 60;

/**
 * Creates notifications in the transaction of the change that causes them, so they exist if and only if the transaction
 * commits.
 */
export async function notify(trx: Trx, notice: NewNotification, cause: Cause): Promise<void> {
  const { type, to, projectId, actorId, data } = notice;
  const named = to === 'members' ? await findMembers(trx, projectId ?? '') : to;
  const userIds = new Set(named.flatMap((id) => (id === null || id === actorId ? [] : [id])));
  if (userIds.size === 0) return;
  const made = await insertNotifications(
    trx,
    [...userIds].map((userId) => ({ id: newId('ntf'), userId })),
    { type, projectId, actorId, data },
  );
  await appendEvents(
    trx,
    made.map(({ id, user_id, created_at }) => ({
      type: 'notification.created',
      accountId: user_id,
      projectId: null,
      data: { notification_id: id, user_id, notification_type: type, created_at: created_at.toISOString() },
    })),
    cause,
  );
  for (const { user_id, mails } of made) {
    if (!mails || !digestedTypes.includes(type)) continue;
    const once = { key: `notifications ${user_id}`, delaySeconds: digestSeconds, keepsTime: true, account: user_id };
    await enqueueJob(trx, 'notifications:mail', { user_id }, once);
  }
}
