import type { InstallationUsageHistory, UsageDay, UsageHistory } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import type { Principal } from '../../foundation/http/index.ts';
import type { StoredByUser } from './usage.service.ts';
import * as rows from './usage-days.sql.ts';

const accountsAtOnce = 1000;
const keptDays = 400;

/**
 * Records what each account stores, if that has changed, and the totals. Called every hour. Reads some accounts at a
 * time.
 */
export async function recordUsage(db: Db, storedBy: Pick<StoredByUser, 'byEach'>): Promise<void> {
  const totals = { accounts: 0, projects: 0, bytes: 0 };
  for (let ids = await rows.listUserIds(db, '', accountsAtOnce); ids.length > 0; ) {
    const stored = await storedBy.byEach(db, ids);
    const accounts = ids.map((userId) => ({ userId, ...(stored.get(userId) ?? { projects: 0, bytes: 0 }) }));
    await rows.noteStored(db, accounts);
    totals.accounts += accounts.length;
    for (const { projects, bytes } of accounts) {
      totals.projects += projects;
      totals.bytes += bytes;
    }
    ids = await rows.listUserIds(db, ids.at(-1) ?? '', accountsAtOnce);
  }
  await rows.noteTotals(db, totals);
}

export async function forgetOldUsage(db: Db): Promise<void> {
  await rows.deleteDaysOlderThan(db, keptDays);
  await rows.deleteTotalsOlderThan(db, keptDays);
}

/** Reads the history. Today's values are current, and not those of the last hourly run. */
export async function readUsageHistory(
  { db, storedBy }: { db: Db; storedBy: StoredByUser },
  { userId }: Principal,
  days: number,
): Promise<UsageHistory> {
  const [past, projects, bytes] = await Promise.all([
    rows.readDays(db, userId, days),
    storedBy.projects(db, userId),
    storedBy.bytes(db, userId),
  ]);
  const data = past.map(asDay);
  return { data: [...data.slice(0, -1), ...data.slice(-1).map((now) => ({ ...now, projects, stored_bytes: bytes }))] };
}

export async function readInstallationUsage(db: Db, days: number): Promise<InstallationUsageHistory> {
  const past = await rows.readTotals(db, days);
  return { data: past.map((row) => ({ ...asDay(row), accounts: row.accounts })) };
}

const asDay = ({ date, deployments, build_ms, workspace_ms, projects, stored_bytes }: rows.DayRow): UsageDay => ({
  date,
  deployments,
  build_seconds: Math.round(build_ms / 1000),
  workspace_seconds: Math.round(workspace_ms / 1000),
  projects,
  stored_bytes,
});
