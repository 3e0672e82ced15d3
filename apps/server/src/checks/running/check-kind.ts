import type { WorkKind } from '../../deployments/index.ts';
import { claimNext, renewLeases } from '../state/index.ts';
import { reapChecks } from './finish.service.ts';
import { type RunOptions, runCheck } from './run-check.ts';

/** Checks, as work for the slots of a worker. */
export const checkKind = (options: RunOptions): WorkKind => ({
  async claim(trx, taker) {
    const row = await claimNext(trx, taker);
    if (!row) return undefined;
    const claim = { id: row.id, workerId: taker.workerId, attempt: row.attempt };
    return { claim, run: (signal) => runCheck(options, { row, claim, signal }) };
  },
  renew: renewLeases,
  reap: () => reapChecks(options.db, options.bell),
});
