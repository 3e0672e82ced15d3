import type { User } from '@bottega/contract';
import type { UserRow } from './users.sql.ts';

/** The generated picture, until the user sets one. */
export const avatarUrl = ({ id, avatar_url: own }: Pick<UserRow, 'id' | 'avatar_url'>, publicUrl: string): string =>
  own ?? `${publicUrl}/avatars/${id}.svg`;

export function asUser(row: UserRow, publicUrl: string): User {
  return {
    id: row.id,
    name: row.name,
    username: row.username,
    email: row.email,
    avatar_url: avatarUrl(row, publicUrl),
    created_at: row.created_at.toISOString(),
    subscription: {
      plan: row.plan,
      status: row.subscription_status,
      expires_at: row.subscription_expires_at?.toISOString() ?? null,
    },
    preferences: {
      theme: row.theme,
      language: row.language,
      notifications: { email: row.notify_email, push: row.notify_push },
    },
  };
}
