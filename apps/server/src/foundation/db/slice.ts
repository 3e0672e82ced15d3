import type { Ground } from '../ground.ts';
import type { Slice } from '../slice.ts';
import { type FreshStatistics, keepStatisticsFresh } from './fresh-statistics.ts';

/** A slice that keeps the planner's statistics fresh. */
export function createStatistics({ pool, warn }: Ground): Slice {
  let statistics: FreshStatistics | null = null;
  return {
    async start() {
      const onError = (error: unknown) => warn('database')(error, 'failed to refresh table statistics');
      statistics = keepStatisticsFresh({ pool, onError });
    },
    stop: async () => statistics?.stop(),
  };
}
