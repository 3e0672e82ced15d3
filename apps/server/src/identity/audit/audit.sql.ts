import type { AuditAction } from '@bottega/contract';
import { type Insertable, sql } from 'kysely';
import { allRows, cleanRows, type Db, type Queries, type Trx } from '../../foundation/db/index.ts';
import type { Database } from '../../foundation/db/schema.ts';
import type { Page } from '../../foundation/http/index.ts';
import { keepPartitions, type TimedTable } from '../../foundation/partitions/index.ts';

export async function insertEntry(trx: Trx, entry: Insertable<Database['audit_log']>): Promise<void> {
  await trx.insertInto('audit_log').values(entry).execute();
}

export type AuditFilter = Page & {
  /** Undefined means all accounts. */
  accountId?: string | undefined;
  actorId?: string | undefined;
  action?: AuditAction | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
};

export type AuditRow = Awaited<ReturnType<typeof listEntries>>[number];

export function listEntries(db: Queries, { page, limit, ...filter }: AuditFilter) {
  return filtered(db, filter)
    .select([
      'id',
      'action',
      'account_id',
      'actor_id',
      'credential_kind',
      'credential_id',
      'address',
      'user_agent',
      'request_id',
      'subject_id',
      'details',
      'created_at',
    ])
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
}

/** The current names of accounts and projects. */
export async function findNames(db: Queries, ids: string[]): Promise<Map<string, string>> {
  const rows = await allRows<{ id: string; name: string }>(db)`
    select id, name from users where id = any(${ids}::text[])
    union all
    select id, name from projects where id = any(${ids}::text[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function countEntries(db: Queries, { page: _page, limit: _limit, ...filter }: AuditFilter) {
  const row = await filtered(db, filter)
    .select((count) => count.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return row.total;
}

function filtered(db: Queries, { accountId, actorId, action, since, until }: Omit<AuditFilter, keyof Page>) {
  return db
    .selectFrom('audit_log')
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
    .$if(actorId !== undefined, (query) => query.where('actor_id', '=', actorId ?? ''))
    .$if(action !== undefined, (query) => query.where('action', '=', action ?? ''))
    .$if(since !== undefined, (query) => query.where('created_at', '>=', since ?? new Date(0)))
    .$if(until !== undefined, (query) => query.where('created_at', '<', until ?? new Date(0)));
}

const timedEntries: TimedTable = { name: 'audit_log', key: 'id', prefix: 'aud' };

/**
 * Deletes old entries, first by dropping partitions and then row by row. A trigger forbids to delete entries in any
 * other way, or entries of the last day.
 */
export async function deleteEntriesOlderThan(db: Db, days: number, now = Date.now()): Promise<void> {
  const until = await keepPartitions(db, timedEntries, { days, now });
  await cleanRows(db, {
    table: 'audit_log',
    by: 'created_at',
    where: sql`gone.created_at < ${until}`,
    prepare: (trx) => sql`set local bottega.audit_cleaning = 'on'`.execute(trx),
  });
}
