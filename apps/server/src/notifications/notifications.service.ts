import {
  type Notification,
  type NotificationQuery,
  type NotificationType,
  type ReadNotifications,
  scopeAllows,
  scopeToBeNotified,
} from '@bottega/contract';
import type { Db } from '../foundation/db/index.ts';
import { invalid, type Principal } from '../foundation/http/index.ts';
import { isId } from '../foundation/ids.ts';
import * as rows from './notifications.sql.ts';
import { asNotification } from './notifications.view.ts';

type Found = { data: Notification[]; total: number; unread: number };

export async function listNotifications(
  db: Db,
  principal: Principal,
  { unread: onlyUnread = false, page, limit }: NotificationQuery,
  publicUrl: string,
): Promise<Found> {
  const reader = readerOf(principal);
  const [found, { all, unread }] = await Promise.all([
    rows.listNotifications(db, reader, { onlyUnread, page, limit }),
    rows.countNotifications(db, reader),
  ]);
  return { data: found.map((row) => asNotification(row, publicUrl)), total: onlyUnread ? unread : all, unread };
}

/** Marks notifications as read. Ids of other users' notifications are ignored, like unknown ones. */
export async function readNotifications(
  db: Db,
  principal: Principal,
  which: ReadNotifications,
): Promise<{ unread: number }> {
  const { ids, all } = which;
  if ((ids === undefined) === (all === undefined)) throw invalid('ids', 'is required unless all is true');
  const reader = readerOf(principal);
  await rows.markRead(db, reader, ids?.filter((id) => isId('ntf', id)) ?? null);
  return { unread: (await rows.countNotifications(db, reader)).unread };
}

function readerOf({ userId, scopes, serviceAccount }: Principal): rows.Reader {
  const all = Object.keys(scopeToBeNotified) as NotificationType[];
  const types = all.filter((type) => scopeAllows(scopes, scopeToBeNotified[type]));
  return { userId, types, projects: serviceAccount ? [...serviceAccount.projects] : null };
}
