import type { AdminUser } from '@bottega/contract';
import type { Db, Queries } from '../../foundation/db/index.ts';
import { listWithSecondFactor } from '../accounts/index.ts';
import { asUser, type StoredByUser, type UserRow } from '../users/index.ts';

/** The sources of the data about accounts that an administrator sees. */
export type Directory = { db: Db; storedBy: StoredByUser };

export async function asAdminUsers(
  { db, storedBy }: { db: Queries; storedBy: StoredByUser },
  rows: UserRow[],
  publicUrl: string,
): Promise<AdminUser[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const [stored, withFactor] = await Promise.all([storedBy.byEach(db, ids), listWithSecondFactor(db, ids)]);
  return rows.map((row) => ({
    ...asUser(row, publicUrl),
    updated_at: row.updated_at.toISOString(),
    is_admin: row.is_admin,
    email_verified: row.email_verified_at !== null,
    suspended: row.suspended_at !== null,
    suspended_at: row.suspended_at?.toISOString() ?? null,
    second_factor: withFactor.has(row.id),
    projects_count: stored.get(row.id)?.projects ?? 0,
    stored_bytes: stored.get(row.id)?.bytes ?? 0,
  }));
}

export async function asAdminUser(
  directory: Parameters<typeof asAdminUsers>[0],
  row: UserRow,
  publicUrl: string,
): Promise<AdminUser> {
  const [user] = await asAdminUsers(directory, [row], publicUrl);
  if (!user) throw new Error('one row must result in one account');
  return user;
}
