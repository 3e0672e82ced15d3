import type { AdminUser, AdminUserQuery, PatchAdminUser } from '@bottega/contract';
import { appendEvent } from '../../events/index.ts';
import { changing } from '../../foundation/cluster/cache-registry.ts';
import { type Trx, transaction } from '../../foundation/db/index.ts';
import { type Cause, conflict, notFound } from '../../foundation/http/index.ts';
import { isId } from '../../foundation/ids.ts';
import { recordAudit } from '../audit/index.ts';
import { announceCredentialChange } from '../auth/index.ts';
import {
  type AccountChange,
  countUsers,
  findUser,
  listUsers,
  lockActiveAdministrators,
  lockUser,
  type UserRow,
  updateAccount,
  userEventData,
} from '../users/index.ts';
import { asAdminUser, asAdminUsers, type Directory } from './admin-users.view.ts';

export async function findAccounts(
  directory: Directory,
  { page, limit, ...filter }: AdminUserQuery,
  publicUrl: string,
): Promise<{ data: AdminUser[]; total: number }> {
  const { db } = directory;
  const [rows, total] = await Promise.all([listUsers(db, filter, { page, limit }), countUsers(db, filter)]);
  return { data: await asAdminUsers(directory, rows, publicUrl), total };
}

export async function readAccount(directory: Directory, id: string, publicUrl: string): Promise<AdminUser> {
  const row = isId('usr', id) ? await findUser(directory.db, id) : undefined;
  if (!row) throw notFound('User');
  return asAdminUser(directory, row, publicUrl);
}

type Change = { id: string; patch: PatchAdminUser; publicUrl: string; cause: Cause };

/**
 * Changes an account. Plan, rights and suspension apply to the next request on every node, because cached identities
 * are dropped.
 */
export async function changeAccount(directory: Directory, { id, patch, publicUrl, cause }: Change): Promise<AdminUser> {
  if (!isId('usr', id)) throw notFound('User');
  const row = await transaction(directory.db, async (trx) => {
    // Locked before the account itself, so that two concurrent changes of administrators cannot deadlock.
    const administrators = await lockActiveAdministrators(trx);
    const before = await lockUser(trx, id);
    if (!before) throw notFound('User');
    const change = differences(before, wantedBy(patch, before));
    if (Object.keys(change).length === 0) return before;
    mustLeaveAnAdministrator(administrators, before, change);
    await updateAccount(trx, id, change);
    const after = { ...before, ...change };
    await tellOfChange(trx, { before, after, cause });
    await announceCredentialChange(trx, id);
    // Domains of a suspended account show nothing.
    if ('suspended_at' in change) await changing(trx, 'apps');
    return after;
  });
  return asAdminUser(directory, row, publicUrl);
}

function wantedBy(
  { plan, subscription, is_admin, suspended, email_verified: verified }: PatchAdminUser,
  before: UserRow,
): AccountChange {
  const { expires_at: expiry } = subscription ?? {};
  const wanted = {
    plan: plan ?? subscription?.plan,
    subscription_status: subscription?.status,
    subscription_expires_at: typeof expiry === 'string' ? new Date(expiry) : expiry,
    is_admin,
    suspended_at: since(suspended, before.suspended_at),
    email_verified_at: since(verified, before.email_verified_at),
  };
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
}

/** Returns the time since which a state holds. If the state already held before, that time is kept. */
function since(holds: boolean | undefined, before: Date | null): Date | null | undefined {
  if (holds === undefined) return undefined;
  return holds ? (before ?? new Date()) : null;
}

function differences(before: UserRow, wanted: AccountChange): AccountChange {
  const same = (one: unknown, other: unknown) =>
    one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : one === other;
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => !same(before[name as keyof AccountChange], value)),
  );
}

function mustLeaveAnAdministrator(administrators: string[], { id }: UserRow, change: AccountChange): void {
  const leaves = change.is_admin === false || Boolean(change.suspended_at);
  if (leaves && administrators.length === 1 && administrators[0] === id) {
    throw conflict('This is the last administrator; create another one first');
  }
}

async function tellOfChange(
  trx: Trx,
  { before, after, cause }: { before: UserRow; after: UserRow; cause: Cause },
): Promise<void> {
  const [from, to] = [shown(before), shown(after)];
  const changed = Object.keys(to).filter((name) => from[name] !== to[name]);
  const changes = Object.fromEntries(changed.map((name) => [name, { from: from[name], to: to[name] }]));
  const data = { ...userEventData(after), changes };
  await appendEvent(trx, { type: 'user.updated', accountId: after.id, projectId: null, data }, cause);
  const { suspended, ...others } = changes;
  if (suspended) {
    const action = after.suspended_at ? 'user.suspended' : 'user.reinstated';
    await recordAudit(trx, { action, accountId: after.id }, cause);
  }
  if (Object.keys(others).length > 0) {
    const entry = { accountId: after.id, details: { changes: others } };
    await recordAudit(trx, { action: 'user.changed_by_admin', ...entry }, cause);
  }
}

const shown = (row: UserRow): Record<string, unknown> => ({
  'subscription.plan': row.plan,
  'subscription.status': row.subscription_status,
  'subscription.expires_at': row.subscription_expires_at?.toISOString() ?? null,
  is_admin: row.is_admin,
  email_verified: row.email_verified_at !== null,
  suspended: row.suspended_at !== null,
});
