import { type Db, transaction } from '../../foundation/db/index.ts';
import { causeOfRun, conflict } from '../../foundation/http/index.ts';
import { lockWritableProject } from '../../projects/index.ts';
import { createBranch } from '../../repository/files/index.ts';
import { type HeadAt, isMain, refOf } from '../../repository/objects/ref-names.ts';
import { whyNotCommand } from '../../repository/quarantine/index.ts';
import { type CommitRow, resolveBranch } from '../../repository/store/index.ts';
import * as rows from '../state/index.ts';
import { principalOfWorkspace } from '../sync/index.ts';

type Move = {
  workspace: rows.WantedWorkspace;
  claim: { id: string; epoch: number };
  /** The user who last used the workspace. This user's rights decide. */
  userId: string;
  to: HeadAt;
  /** The commit at which the branch is created if it does not exist yet. */
  from: CommitRow;
};

/** Makes the workspace follow another branch, because that branch was checked out in it. */
export async function moveBranch(db: Db, { workspace, claim, userId, to, from }: Move): Promise<void> {
  const reason = whyNotCommand({ name: refOf(to), from: null, to: from.sha });
  if (reason !== null) throw conflict(reason);
  const cause = causeOfRun(userId);
  await transaction(db, async (trx) => {
    await lockWritableProject(trx, to.projectId, userId);
    if (!isMain(to) && !(await resolveBranch(trx, to.projectId, to.branch))) {
      const input = { name: to.branch, from: from.sha.toString('hex') };
      await createBranch(trx, principalOfWorkspace(userId), to.projectId, input, cause);
    }
    if (!(await rows.changeBranch(trx, claim, to.branch))) throw conflict('Another worker runs the workspace');
    // This is a repetition after a failure, so the event was already sent.
    if (workspace.branch === to.branch) return;
    await rows.tellBranchChanged(trx, { ...workspace, branch: to.branch }, workspace.branch, cause);
  });
  workspace.branch = to.branch;
}
