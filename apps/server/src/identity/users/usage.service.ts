import type { Plan, Usage } from '@bottega/contract';
import type { PlanLimits } from '../../foundation/config/index.ts';
import type { Db, Queries } from '../../foundation/db/index.ts';
import type { Principal } from '../../foundation/http/index.ts';
import type { RateLimiter } from '../../foundation/rate-limits/rate-limiter.ts';
import { userKey } from '../rate-limits/index.ts';
import { workspaceSecondsOf } from './usage-days.sql.ts';

/** What an account stores in its projects. */
export type StoredByUser = {
  projects(db: Db, userId: string): Promise<number>;
  bytes(db: Db, userId: string): Promise<number>;
  /** Stored bytes and the number of projects, for several accounts together. */
  byEach(db: Queries, userIds: string[]): Promise<Map<string, { projects: number; bytes: number }>>;
};

type Sources = { db: Db; limiter: RateLimiter; plans: Record<Plan, PlanLimits>; storedBy: StoredByUser };

export async function readUsage(
  { db, limiter, plans, storedBy }: Sources,
  { userId, plan }: Principal,
): Promise<Usage> {
  const limits = plans[plan];
  const [requests, projects, storedBytes, workspaceSeconds] = await Promise.all([
    limiter.peek(userKey(userId), limits.rate),
    storedBy.projects(db, userId),
    storedBy.bytes(db, userId),
    workspaceSecondsOf(db, userId),
  ]);
  return {
    plan,
    requests: {
      used: requests.limit - requests.remaining,
      limit: requests.limit,
      remaining: requests.remaining,
      window: requests.window,
      reset_at: new Date(requests.resetAt).toISOString(),
      burst: requests.burst,
    },
    projects: { used: projects, limit: limits.projects },
    stored_bytes: { used: storedBytes, limit: limits.storedBytes },
    workspace_seconds: {
      used: workspaceSeconds,
      limit: limits.workspaceHours === null ? null : limits.workspaceHours * 3600,
    },
  };
}
