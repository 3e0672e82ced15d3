import { type Db, transaction } from '../../foundation/db/index.ts';
import type { AppError } from '../../foundation/http/index.ts';
import { addressKey, type BudgetRow, budgetKey, lockBudgets, storeBudgets, tooMany } from '../rate-limits/index.ts';

/**
 * Limits attempts to sign in, to slow down guessing. This happens before any account is looked up. An attempt is
 * charged before the password is checked, so that a hundred concurrent attempts are not free. It is refunded if the
 * password is right. There are three budgets:
 *
 * - this account from this address: a few mistakes, then waits of 1, 2, 4 … seconds up to a quarter of an hour;
 * - this address with any account: detects one password that is tried on many accounts;
 * - this account from any address: detects many addresses. It does not apply to an address from which the account was
 *   signed in to within the last month, so that nobody can lock the owner out at home.
 */
type Budget = { free: number; longestSeconds: number };
const budgets = {
  pair: { free: 5, longestSeconds: 900 },
  account: { free: 50, longestSeconds: 300 },
  address: { free: 50, longestSeconds: 900 },
  // For requests that send a mail or create an account: one budget per address, and one per mailbox.
  request: { free: 100, longestSeconds: 900 },
  mailbox: { free: 5, longestSeconds: 900 },
} satisfies Record<string, Budget>;
type BudgetName = keyof typeof budgets;

export const windowSeconds = 3600;
const trustedDays = 30;

type Named = { name: BudgetName; key: Buffer };

export type Attempt = {
  charged: Named[];
  pair: Named | null;
  /** Number of attempts on this account within the window, including this one and refused ones. */
  onAccount: number;
  since: Date;
  /** Set if the attempt has to wait. In this case, it was not charged. */
  refusal: AppError | null;
};

export async function takeSignInAttempt(db: Db, email: string, address: string): Promise<Attempt> {
  const origin = addressKey(address);
  const pair = named('pair', email, origin);
  const account = named('account', email);
  return transaction(db, async (trx) => {
    const all = [pair, account, named('address', origin)];
    const rows = byKey(await lockBudgets(trx, keysOf(all)));
    const { trusted_until: trusted, at } = rowOf(rows, pair);
    const held = trusted && trusted > at ? all.filter((one) => one !== account) : all;
    const refusal = refusalOf(held, rows);
    const charged = refusal ? [] : all;
    const ofAccount = refusal
      ? afterRefusal(rowOf(rows, account))
      : afterAttempt(rowOf(rows, account), budgets.account);
    const others = charged.filter((one) => one !== account);
    await storeBudgets(trx, [ofAccount, ...others.map((one) => afterAttempt(rowOf(rows, one), budgets[one.name]))]);
    const { attempts, refused, started_at: since } = ofAccount;
    return { charged, pair, onAccount: attempts + refused, since, refusal };
  });
}

/** Charges a request that needs no account, whatever its outcome. */
export async function takeRequestAttempt(db: Db, email: string | null, address: string): Promise<void> {
  const asked = [named('request', addressKey(address)), ...(email === null ? [] : [named('mailbox', email)])];
  await transaction(db, async (trx) => {
    const rows = byKey(await lockBudgets(trx, keysOf(asked)));
    const refusal = refusalOf(asked, rows);
    if (refusal) throw refusal;
    await storeBudgets(
      trx,
      asked.map((one) => afterAttempt(rowOf(rows, one), budgets[one.name])),
    );
  });
}

/**
 * Refunds an attempt that was not a guess. With `trust`, the attempt came from the account's owner, so the budget for
 * all addresses no longer applies to this address.
 */
export async function giveBack(db: Db, { charged, pair }: Attempt, { trust }: { trust: boolean }): Promise<void> {
  await transaction(db, async (trx) => {
    const states = (await lockBudgets(trx, keysOf(charged))).map((row) => {
      const isPair = pair?.key.equals(row.key) ?? false;
      const attempts = isPair && trust ? 0 : Math.max(0, row.attempts - 1);
      const { free } = budgets[charged.find(({ key }) => key.equals(row.key))?.name ?? 'pair'];
      return {
        ...row,
        attempts,
        blocked_until: attempts >= free ? row.blocked_until : null,
        trusted_until: isPair && trust ? new Date(row.at.getTime() + trustedDays * 86_400_000) : row.trusted_until,
      };
    });
    await storeBudgets(trx, states);
  });
}

const isOver = ({ at, started_at }: BudgetRow): boolean => at.getTime() - started_at.getTime() >= windowSeconds * 1000;

/**
 * Counts a refusal, but does not extend the wait. Otherwise, a stranger could lock the owner out with many requests.
 */
function afterRefusal(row: BudgetRow): BudgetRow {
  return isOver(row) ? { ...row, attempts: 0, refused: 1, started_at: row.at } : { ...row, refused: row.refused + 1 };
}

function afterAttempt(row: BudgetRow, { free, longestSeconds }: Budget): BudgetRow {
  const attempts = isOver(row) ? 1 : row.attempts + 1;
  const delay = attempts < free ? 0 : Math.min(longestSeconds, 2 ** Math.min(attempts - free, 20));
  return {
    ...row,
    attempts,
    refused: isOver(row) ? 0 : row.refused,
    started_at: isOver(row) || row.attempts === 0 ? row.at : row.started_at,
    blocked_until: delay === 0 ? null : new Date(row.at.getTime() + delay * 1000),
  };
}

function refusalOf(held: Named[], rows: Map<string, BudgetRow>): AppError | null {
  const blocked = held
    .map((one) => ({ ...rowOf(rows, one), free: budgets[one.name].free }))
    .filter(({ blocked_until: until, at }) => until && until > at)
    .sort((one, other) => Number(other.blocked_until) - Number(one.blocked_until))[0];
  if (!blocked?.blocked_until) return null;
  const { blocked_until: until, at, free: limit } = blocked;
  return tooMany('attempts', { limit, windowSeconds, at, until });
}

function named(name: BudgetName, ...parts: string[]): Named {
  return { name, key: budgetKey(name, ...parts) };
}

const keysOf = (all: Named[]): Buffer[] => all.map(({ key }) => key);
const byKey = (rows: BudgetRow[]) => new Map(rows.map((row) => [row.key.toString('hex'), row]));

function rowOf(rows: Map<string, BudgetRow>, { key }: Named): BudgetRow {
  const row = rows.get(key.toString('hex'));
  if (!row) throw new Error('a locked budget is missing');
  return row;
}
