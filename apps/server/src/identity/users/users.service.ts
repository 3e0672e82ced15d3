import { randomInt } from 'node:crypto';
import type { EventData, PatchUser, Plan, User } from '@bottega/contract';
import { appendEvent } from '../../events/index.ts';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { type Cause, invalid, notFound, type Principal } from '../../foundation/http/index.ts';
import { checkFields } from '../../foundation/http/request/field-checks.ts';
import { newId } from '../../foundation/ids.ts';
import { recordAudit } from '../audit/index.ts';
import { hashPassword } from '../auth/index.ts';
import * as rows from './users.sql.ts';
import { asUser } from './users.view.ts';

export async function readUser(db: Db, { userId }: Principal, publicUrl: string): Promise<User> {
  const row = await rows.findUser(db, userId);
  if (!row) throw notFound('User');
  return asUser(row, publicUrl);
}

/** The names of the columns in the API, for events about changes. */
const fields: Record<keyof rows.UserChange, string> = {
  name: 'name',
  username: 'username',
  avatar_url: 'avatar_url',
  theme: 'preferences.theme',
  language: 'preferences.language',
  notify_email: 'preferences.notifications.email',
  notify_push: 'preferences.notifications.push',
};

type PatchContext = { publicUrl: string; cause: Cause };

export async function patchUser(
  db: Db,
  { userId }: Principal,
  patch: PatchUser,
  { publicUrl, cause }: PatchContext,
): Promise<User> {
  return transaction(db, async (trx) => {
    const before = await rows.lockUser(trx, userId);
    if (!before) throw notFound('User');
    await checkFields(
      patch,
      userChecks(async () => before),
    );
    const change = differences(before, wanted(patch, before, publicUrl));
    const names = Object.keys(change) as (keyof rows.UserChange)[];
    if (names.length === 0) return asUser(before, publicUrl);
    await rows.updateUser(trx, userId, change);
    const after = { ...before, ...change };
    const changes = Object.fromEntries(names.map((name) => [fields[name], { from: before[name], to: after[name] }]));
    const data = { ...userEventData(after), changes };
    await appendEvent(trx, { type: 'user.updated', accountId: userId, projectId: null, data }, cause);
    return asUser(after, publicUrl);
  });
}

function wanted(patch: PatchUser, before: rows.UserRow, publicUrl: string): rows.UserChange {
  const { name, username, avatar_url: avatar, preferences } = patch;
  // If the client sends back the address of the generated picture, nothing changes.
  const keepsAvatar = avatar === undefined || avatar === asUser(before, publicUrl).avatar_url;
  const candidates = {
    name,
    username,
    avatar_url: keepsAvatar ? undefined : avatar,
    theme: preferences?.theme,
    language: preferences?.language && canonicalLanguage(preferences.language),
    notify_email: preferences?.notifications?.email,
    notify_push: preferences?.notifications?.push,
  };
  return Object.fromEntries(Object.entries(candidates).filter(([, value]) => value !== undefined));
}

/** Checks of a user's fields. A client may send back the current address, because responses contain it. */
export const userChecks = (find: () => Promise<{ email: string }>) => ({
  async email(email: string) {
    if (email !== (await find()).email) {
      throw invalid('email', 'cannot be changed: the address identifies the account; sign up with the other address');
    }
  },
});

const canonicalLanguage = (tag: string): string => Intl.getCanonicalLocales(tag)[0] ?? tag;

function differences(before: rows.UserRow, target: rows.UserChange): rows.UserChange {
  return Object.fromEntries(
    Object.entries(target).filter(([name, value]) => before[name as keyof rows.UserChange] !== value),
  );
}

export type NewAccount = {
  email: string;
  name: string;
  password: string;
  plan: Plan;
  isAdmin: boolean;
  /** How the account was created, such as by an operator or on the sign-up page. */
  source: string;
};

/** Creates an account for an operator, who vouches for the address. */
export async function createUser(trx: Trx, account: NewAccount, cause: Cause): Promise<rows.UserRow> {
  const passwordHash = await hashPassword(account.password);
  return addUser(trx, { ...account, passwordHash, emailVerified: true }, cause);
}

/**
 * An account with its password already hashed. If there is no hash, nobody can sign in until a password is set through
 * a link.
 */
type HashedAccount = Omit<NewAccount, 'password'> & { passwordHash: string | null; emailVerified: boolean };

/**
 * Adds a user. The hash is computed in advance, because a transaction must not occupy a connection while it waits for
 * its turn.
 */
export async function addUser(trx: Trx, account: HashedAccount, cause: Cause): Promise<rows.UserRow> {
  const email = account.email.trim().toLowerCase();
  const user: rows.NewUser = {
    id: newId('usr'),
    email,
    name: account.name.trim(),
    password_hash: account.passwordHash,
    plan: account.plan,
    is_admin: account.isAdmin,
    email_verified_at: account.emailVerified ? new Date() : null,
  };
  const base = usernameFrom(email);
  for (let attempt = 1; ; attempt++) {
    const row = await rows.insertUser(trx, { ...user, username: base + suffixOf(attempt) });
    if (!row) continue;
    const data = { ...userEventData(row), metadata: { source: account.source } };
    await appendEvent(trx, { type: 'user.registered', accountId: row.id, projectId: null, data }, cause);
    const details = { source: account.source };
    await recordAudit(trx, { action: 'user.registered', accountId: row.id, details }, cause);
    return row;
  }
}

/** Counts a few times. Beyond that, a random number, because thousands of addresses may begin with `info@`. */
const suffixOf = (attempt: number): string =>
  attempt === 1 ? '' : `-${attempt < 10 ? attempt : randomInt(10, 100_000_000)}`;

/** The local part of the address, reduced to the characters that a username may contain. */
function usernameFrom(email: string): string {
  const local = (email.split('@')[0] ?? '').replace(/[^a-z0-9._-]+/g, '-').slice(0, 30);
  return local.replace(/^[._-]+|[._-]+$/g, '') || 'user';
}

export function userEventData(user: rows.UserRow): Omit<EventData['user.updated'], 'changes'> {
  return {
    user_id: user.id,
    name: user.name,
    email: user.email,
    username: user.username,
    role: user.is_admin ? 'admin' : 'user',
    created_at: user.created_at.toISOString(),
  };
}
