import { type AdminPlan, plans } from '@bottega/contract';
import type { Config } from '../../foundation/config/index.ts';
import type { Db } from '../../foundation/db/index.ts';
import { countUsersByPlan } from '../users/index.ts';

export type PlanSources = { db: Db; config: Pick<Config, 'plans' | 'rateWindow' | 'burstWindow'> };

/** The plans as configured. They are changed through settings, which are read at the start, and not through the API. */
export async function readPlans({ db, config }: PlanSources): Promise<AdminPlan[]> {
  const accounts = await countUsersByPlan(db);
  return plans.map((plan) => {
    const { rate, projects, storedBytes, files, builds, apps, domains } = config.plans[plan];
    return {
      plan,
      accounts: accounts[plan] ?? 0,
      requests: {
        limit: rate.requests,
        window: config.rateWindow,
        burst: { limit: rate.burst, window: config.burstWindow },
      },
      projects,
      stored_bytes: storedBytes,
      files,
      builds,
      apps,
      domains,
    };
  });
}
