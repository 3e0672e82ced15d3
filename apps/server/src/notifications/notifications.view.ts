import type { Notification } from '@bottega/contract';
import { avatarUrl } from '../identity/users/index.ts';
import type { NotificationRow } from './notifications.sql.ts';

/** `data` matches its type, because `notify` wrote it. */
export function asNotification(row: NotificationRow, publicUrl: string): Notification {
  const { id, type, data, project_id, project_name, actor } = row;
  return {
    id,
    type,
    project: project_id !== null && project_name !== null ? { id: project_id, name: project_name } : null,
    actor: actor && { ...actor, avatar_url: avatarUrl(actor, publicUrl) },
    data,
    created_at: row.created_at.toISOString(),
    read_at: row.read_at?.toISOString() ?? null,
  } as Notification;
}
