import type { CheckAnnotation } from '@bottega/contract';
import { appendLogLine, type Bell, maxAttempts } from '../../deployments/index.ts';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import * as rows from '../state/index.ts';

/** Stores the end of a run with its annotations. False if another worker has the run now. */
export async function finishRun(
  trx: Trx,
  claim: rows.Claim,
  { annotations, ...ending }: rows.Ending & { annotations: readonly CheckAnnotation[] },
): Promise<boolean> {
  const row = await rows.endRun(trx, claim, ending);
  if (!row) return false;
  await rows.addAnnotations(trx, row.id, annotations);
  await tellEnd(trx, row);
  return true;
}

/** What follows every end of a run: its time is counted, runs that need it may be skipped, and events are sent. */
async function tellEnd(trx: Trx, row: rows.CheckRow): Promise<void> {
  await rows.countTime(trx, row.id);
  await rows.tellCompleted(trx, row);
  await rows.tellAllCompleted(trx, await rows.skipBlocked(trx, row.project_id));
}

/** Ends a run that no worker has. The caller has locked its row. */
export async function endWithoutWorker(trx: Trx, id: string, ending: rows.Ending): Promise<void> {
  await appendLogLine(trx, rows.logOfCheck(id), 'warn', ending.title);
  await tellEnd(trx, await rows.endUnheld(trx, id, ending));
}

export const cancelled = (title: string): rows.Ending => ({ conclusion: 'cancelled', title, summary: '' });

/**
 * Handles the runs of dead workers, as for builds: one that was cancelled ends, and any other is retried once. Also skips
 * runs whose needs failed while they were inserted.
 */
export async function reapChecks(db: Db, bell: Bell): Promise<void> {
  const reaped = await transaction(db, async (trx) => {
    const orphans = await rows.lockOrphans(trx);
    for (const { id, tries, canceled } of orphans) {
      if (canceled) await endWithoutWorker(trx, id, cancelled('Cancelled'));
      else if (tries >= maxAttempts) await endWithoutWorker(trx, id, lostTwice);
      else {
        await rows.requeueOrphan(trx, id);
        await appendLogLine(trx, rows.logOfCheck(id), 'warn', 'The worker was lost; the check will be restarted');
      }
    }
    const skipped = await rows.skipBlocked(trx);
    await rows.tellAllCompleted(trx, skipped);
    return [...orphans.map(({ id }) => id), ...skipped];
  });
  for (const id of reaped) bell.ring(id);
  if (reaped.length > 0) bell.ring('queue');
}

const lostTwice: rows.Ending = { conclusion: 'failure', title: 'The worker was lost twice', summary: '' };
