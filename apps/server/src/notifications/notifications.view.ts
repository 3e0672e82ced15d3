import { codedAs, type Notification, reasonsOfNotifications } from '@bottega/contract';
import { avatarUrl } from '../identity/users/index.ts';
import type { NotificationRow } from './notifications.sql.ts';

type WithReason = keyof typeof reasonsOfNotifications;

/** Returns the code of a notification's reason. Only the sentence is stored, and the code is looked up by it. */
function codesOf({ type, data }: NotificationRow) {
  if (!Object.hasOwn(reasonsOfNotifications, type)) return {};
  const known: Readonly<Record<string, string>> = reasonsOfNotifications[type as WithReason];
  return codedAs('reason', known, (data as { reason?: string }).reason);
}

/** `data` matches its type, because `notify` wrote it. */
export function asNotification(row: NotificationRow, publicUrl: string): Notification {
  const { id, type, data, project_id, project_name, actor } = row;
  return {
    id,
    type,
    project: project_id !== null && project_name !== null ? { id: project_id, name: project_name } : null,
    actor: actor && { ...actor, avatar_url: avatarUrl(actor, publicUrl) },
    data: { ...data, ...codesOf(row) },
    created_at: row.created_at.toISOString(),
    read_at: row.read_at?.toISOString() ?? null,
  } as Notification;
}
