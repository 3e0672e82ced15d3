import { sql } from 'kysely';
import { allRows, cleanRows, type Db, type RowWithout, type Trx } from '../../foundation/db/index.ts';

/** `refused` counts the attempts that arrived during a wait. */
export type BudgetRow = RowWithout<'attempt_budgets', 'touched_at'> & {
  /** The database's clock, which is the same for all nodes. */
  at: Date;
};

/** Creates missing rows, and locks all rows in one order, so that two attempts cannot deadlock. */
export async function lockBudgets(trx: Trx, keys: Buffer[]): Promise<BudgetRow[]> {
  await sql`
    insert into attempt_budgets (key, attempts) select key, 0 from unnest(${keys}::bytea[]) as asked(key) order by key
    on conflict (key) do nothing`.execute(trx);
  return allRows<BudgetRow>(trx)`
    select key, attempts, started_at, blocked_until, trusted_until, refused, clock_timestamp() as at
    from attempt_budgets where key = any(${keys}::bytea[]) order by key for update`;
}

export type BudgetState = Omit<BudgetRow, 'at'>;

export async function storeBudgets(trx: Trx, states: BudgetState[]): Promise<void> {
  await sql`
    update attempt_budgets as b
    set attempts = s.attempts, started_at = s.started_at, blocked_until = s.blocked_until,
        trusted_until = s.trusted_until, refused = s.refused, touched_at = now()
    from unnest(
      ${states.map(({ key }) => key)}::bytea[], ${states.map(({ attempts }) => attempts)}::int[],
      ${states.map(({ started_at }) => started_at)}::timestamptz[],
      ${states.map(({ blocked_until }) => blocked_until)}::timestamptz[],
      ${states.map(({ trusted_until }) => trusted_until)}::timestamptz[],
      ${states.map(({ refused }) => refused)}::int[]
    ) as s(key, attempts, started_at, blocked_until, trusted_until, refused)
    where b.key = s.key`.execute(trx);
}

export const deleteOldBudgets = (db: Db): Promise<void> =>
  cleanRows(db, {
    table: 'attempt_budgets',
    by: 'touched_at',
    where: sql`gone.touched_at < now() - interval '2 hours' and coalesce(gone.blocked_until, '-infinity') < now()
      and coalesce(gone.trusted_until, '-infinity') < now()`,
  });
