import type { Plan } from '@bottega/contract';
import { sql } from 'kysely';
import type { Queries, Trx } from '../../foundation/db/index.ts';
import type { Page } from '../../foundation/http/index.ts';
import { columns, type UserRow } from './users.sql.ts';

export type DirectoryFilter = {
  search?: string | undefined;
  plan?: Plan | undefined;
  suspended?: boolean | undefined;
  is_admin?: boolean | undefined;
};

export function listUsers(db: Queries, filter: DirectoryFilter, { page, limit }: Page): Promise<UserRow[]> {
  return filtered(db, filter)
    .select(columns)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
}

export async function countUsers(db: Queries, filter: DirectoryFilter): Promise<number> {
  const row = await filtered(db, filter)
    .select((count) => count.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return row.total;
}

export async function countUsersByPlan(db: Queries): Promise<Partial<Record<Plan, number>>> {
  const rows = await db
    .selectFrom('users')
    .select((count) => ['plan', count.fn.countAll<number>().as('accounts')])
    .groupBy('plan')
    .execute();
  return Object.fromEntries(rows.map(({ plan, accounts }) => [plan, accounts]));
}

/** The pattern of a search. As in every other search, `%` and `_` are ordinary characters. */
const pattern = (search: string): string => `%${search.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;

function filtered(db: Queries, { search, plan, suspended, is_admin }: DirectoryFilter) {
  return db
    .selectFrom('users')
    .$if(search !== undefined, (query) =>
      query.where(sql<boolean>`lower(email || chr(31) || username || chr(31) || name) like ${pattern(search ?? '')}`),
    )
    .$if(plan !== undefined, (query) => query.where('plan', '=', plan ?? 'free'))
    .$if(is_admin !== undefined, (query) => query.where('is_admin', '=', is_admin ?? false))
    .$if(suspended !== undefined, (query) => query.where('suspended_at', suspended ? 'is not' : 'is', null));
}

export type AccountChange = Partial<
  Pick<
    UserRow,
    'plan' | 'subscription_status' | 'subscription_expires_at' | 'is_admin' | 'suspended_at' | 'email_verified_at'
  >
>;

export async function updateAccount(trx: Trx, id: string, change: AccountChange): Promise<void> {
  await trx
    .updateTable('users')
    .set({ ...change, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}
