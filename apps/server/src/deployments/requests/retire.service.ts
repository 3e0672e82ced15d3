import { reasonSentence } from '@bottega/contract';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { holdProject } from '../../projects/index.ts';
import { type Addresses, appendFailed, findDeployment } from '../state/index.ts';
import * as rows from './retire.sql.ts';

const projectsAtOnce = 100;

/** Retires the previews of deleted branches, and cancels their pending builds. References have full names. */
export async function retireGone(
  trx: Trx,
  { projectId, refs }: { projectId: string; refs: readonly string[] },
  addresses: Addresses,
): Promise<void> {
  const branches = refs.flatMap((ref) => /^refs\/heads\/(.+)$/.exec(ref)?.[1] ?? []);
  if (branches.length === 0) return;
  await rows.retireBranches(trx, projectId, branches);
  const error = { type: 'canceled', message: reasonSentence('deployment_branch_deleted'), exit_code: null } as const;
  for (const id of await rows.cancelBranches(trx, projectId, branches, error)) {
    const row = await findDeployment(trx, projectId, id);
    if (row) await appendFailed(trx, row, { addresses, source: null });
  }
}

/** Retires old previews of existing branches. With 0 days, no preview is retired. */
export async function retireOldPreviews(db: Db, days: number): Promise<void> {
  if (days === 0) return;
  let found: string[];
  do {
    found = await rows.projectsWithOldPreviews(db, days, projectsAtOnce);
    for (const projectId of found) {
      await transaction(db, async (trx) => {
        await holdProject(trx, projectId);
        await rows.retireOldOf(trx, projectId, days);
      });
    }
  } while (found.length === projectsAtOnce);
}
