import { sql } from 'kysely';
import { allRows, cleanRows, type Db, type Queries } from '../../foundation/db/index.ts';

type Stored = { userId: string; projects: number; bytes: number };
type Totals = { accounts: number; projects: number; bytes: number };

const today = sql`(now() at time zone 'UTC')::date`;

export async function listUserIds(db: Queries, after: string, max: number): Promise<string[]> {
  const rows = await allRows<{ id: string }>(db)`
    select id from users where id > ${after} order by id limit ${max}`;
  return rows.map(({ id }) => id);
}

/**
 * Records what accounts store today, if that has changed. Accounts that were deleted since they were listed are left
 * out.
 */
export async function noteStored(db: Queries, accounts: readonly Stored[]): Promise<void> {
  await sql`
    insert into usage_days (user_id, day, projects, stored_bytes)
    select users.id, ${today}, n.projects, n.bytes
    from json_to_recordset(${JSON.stringify(accounts)}::json) as n("userId" text, projects integer, bytes bigint)
    join users on users.id = n."userId"
    left join lateral (
      select d.projects, d.stored_bytes from usage_days d where d.user_id = users.id and d.projects is not null
      order by d.day desc limit 1
    ) as last on true
    where (last.projects, last.stored_bytes) is distinct from (n.projects, n.bytes)
    order by users.id
    on conflict (user_id, day) do update
      set projects = excluded.projects, stored_bytes = excluded.stored_bytes`.execute(db);
}

/**
 * Updates the totals of today, and of yesterday, because its last builds may not be included yet. Deleting an account
 * does not reduce the totals.
 */
export async function noteTotals(db: Queries, { accounts, projects, bytes }: Totals): Promise<void> {
  await sql`
    insert into usage_totals as t (day, deployments, build_ms, workspace_ms, projects, stored_bytes, accounts)
    select d.day, coalesce(sum(u.deployments), 0), coalesce(sum(u.build_ms), 0), coalesce(sum(u.workspace_ms), 0),
      ${projects}::int, ${bytes}::bigint, ${accounts}::int
    from (values (${today} - 1), (${today})) as d(day) left join usage_days u on u.day = d.day
    where d.day = ${today} or exists (select from usage_totals old where old.day = d.day)
    group by d.day order by d.day
    on conflict (day) do update set
      deployments = greatest(t.deployments, excluded.deployments),
      build_ms = greatest(t.build_ms, excluded.build_ms),
      workspace_ms = greatest(t.workspace_ms, excluded.workspace_ms),
      projects = case when t.day = ${today} then excluded.projects else t.projects end,
      stored_bytes = case when t.day = ${today} then excluded.stored_bytes else t.stored_bytes end,
      accounts = case when t.day = ${today} then excluded.accounts else t.accounts end`.execute(db);
}

export type DayRow = {
  date: string;
  deployments: number;
  build_ms: number;
  workspace_ms: number;
  projects: number | null;
  stored_bytes: number | null;
};

/** The last days in order, including today, each with its last known values. */
const lastDays = (days: number) => sql`
  (select (${today} - ago)::date as day from generate_series(0, ${days - 1}::int) as ago) as d`;

export function readDays(db: Queries, userId: string, days: number): Promise<DayRow[]> {
  return allRows<DayRow>(db)`
    select d.day::text as date, coalesce(u.deployments, 0) as deployments, coalesce(u.build_ms, 0)::bigint as build_ms,
      coalesce(u.workspace_ms, 0)::bigint as workspace_ms, last.projects, last.stored_bytes
    from ${lastDays(days)}
    left join usage_days u on u.user_id = ${userId} and u.day = d.day
    left join lateral (
      select k.projects, k.stored_bytes from usage_days k
      where k.user_id = ${userId} and k.day <= d.day and k.projects is not null order by k.day desc limit 1
    ) as last on true
    order by d.day`;
}

/** How long workspaces of the account ran in this month (UTC), in seconds. */
export async function workspaceSecondsOf(db: Queries, userId: string): Promise<number> {
  const [row] = await allRows<{ seconds: number }>(db)`
    select (coalesce(sum(workspace_ms), 0) / 1000)::bigint as seconds from usage_days
    where user_id = ${userId} and day >= date_trunc('month', ${today})::date`;
  return row?.seconds ?? 0;
}

export function readTotals(db: Queries, days: number): Promise<(DayRow & { accounts: number | null })[]> {
  return allRows<DayRow & { accounts: number | null }>(db)`
    select d.day::text as date, coalesce(t.deployments, 0) as deployments, coalesce(t.build_ms, 0)::bigint as build_ms,
      coalesce(t.workspace_ms, 0)::bigint as workspace_ms, last.projects, last.stored_bytes, last.accounts
    from ${lastDays(days)}
    left join usage_totals t on t.day = d.day
    left join lateral (
      select k.projects, k.stored_bytes, k.accounts from usage_totals k where k.day <= d.day order by k.day desc limit 1
    ) as last on true
    order by d.day`;
}

/**
 * Deletes old days. The last row with stored values of an account stays, however old it is, because these values are
 * still valid.
 */
export const deleteDaysOlderThan = (db: Db, days: number): Promise<void> =>
  cleanRows(db, {
    table: 'usage_days',
    by: 'day',
    where: sql`gone.day < ${today} - ${days}::int and exists (
      select from usage_days n where n.user_id = gone.user_id and n.day > gone.day and n.projects is not null)`,
  });

export const deleteTotalsOlderThan = (db: Db, days: number): Promise<void> =>
  cleanRows(db, { table: 'usage_totals', by: 'day', where: sql`gone.day < ${today} - ${days}::int` });
