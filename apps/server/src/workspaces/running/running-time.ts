import type { Plan } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import { workspaceSecondsOf } from '../../identity/users/index.ts';
import * as rows from '../state/index.ts';

type Options = { db: Db; hours: Record<Plan, number | null> };

/** Time is counted in steps of this length. If a worker is killed, the last step is not counted. */
const stepMs = 60_000;

/** Counts how long a workspace runs, and tells when the project's owner has used up the hours of the plan. */
export function countTime({ db, hours }: Options, { id, owner_id, plan }: rows.WantedWorkspace) {
  let countedAt = performance.now();
  return {
    /** True if the account has no time left in this month. */
    async count({ isLast }: { isLast: boolean }): Promise<boolean> {
      const now = performance.now();
      if (!isLast && now - countedAt < stepMs) return false;
      await rows.countRunningTime(db, id, now - countedAt);
      countedAt = now;
      const limit = hours[plan];
      return limit !== null && (await workspaceSecondsOf(db, owner_id)) >= limit * 3600;
    },
  };
}
