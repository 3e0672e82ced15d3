import { appendStarted, claimNext, renewLeases } from '../state/index.ts';
import { reapOrphans } from './reaper.ts';
import { type RunOptions, runBuild } from './run-build.ts';
import type { WorkKind } from './work.ts';

/** Builds, as work for the slots of a worker. */
export const buildKind = (options: RunOptions): WorkKind => ({
  async claim(trx, taker) {
    const deployment = await claimNext(trx, taker);
    if (!deployment) return undefined;
    if (deployment.is_first) await appendStarted(trx, deployment);
    const claim = { id: deployment.id, workerId: taker.workerId, attempt: deployment.attempt };
    return { claim, run: (signal) => runBuild(options, { deployment, claim, signal }) };
  },
  renew: renewLeases,
  reap: () => reapOrphans(options.db, options.addresses, options.bell),
});
