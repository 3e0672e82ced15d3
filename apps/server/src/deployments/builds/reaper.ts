import { type Db, transaction } from '../../foundation/db/index.ts';
import { appendLogLine, logOfDeployment } from '../logs/index.ts';
import {
  type Addresses,
  appendFailed,
  type Bell,
  countBuilds,
  endOrphan,
  lockOrphans,
  maxAttempts,
  requeueOrphan,
} from '../state/index.ts';

/**
 * Handles the builds of dead workers. A build is canceled if that was requested. Otherwise, it is retried once and then
 * fails, because a build that kills its worker would do so every time. Any node may do this, and each build is handled
 * by one node.
 */
export async function reapOrphans(db: Db, addresses: Addresses, bell: Bell): Promise<number> {
  const reaped = await transaction(db, async (trx) => {
    const orphans = await lockOrphans(trx);
    const ended: string[] = [];
    for (const orphan of orphans) {
      if (!orphan.canceled && orphan.attempt < maxAttempts) {
        await requeueOrphan(trx, orphan.id);
        const message = 'The worker was lost during the build; the build will be restarted';
        await appendLogLine(trx, logOfDeployment(orphan.id), 'warn', message);
        continue;
      }
      const message = orphan.canceled ? 'The deployment was canceled' : 'The worker was lost during the build twice';
      const type = orphan.canceled ? 'canceled' : 'worker_lost';
      const status = orphan.canceled ? 'canceled' : 'failed';
      const over = await endOrphan(trx, orphan.id, { status, error: { type, message, exit_code: null } });
      await appendLogLine(trx, logOfDeployment(orphan.id), 'error', message);
      await appendFailed(trx, over, { addresses, source: null });
      ended.push(over.id);
    }
    if (ended.length > 0) await countBuilds(trx, ended);
    return orphans;
  });
  for (const { id } of reaped) bell.ring(id);
  if (reaped.length > 0) bell.ring('queue');
  return reaped.length;
}
