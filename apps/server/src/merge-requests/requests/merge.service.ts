import type { Commit, CreateMerge, MergeMergeRequest, RequestStrategy } from '@bottega/contract';
import { type Trx, transaction } from '../../foundation/db/index.ts';
import { AppError, type Cause, conflict, type Principal } from '../../foundation/http/index.ts';
import { lockWritableProject } from '../../projects/index.ts';
import { mainBranch } from '../../repository/objects/ref-names.ts';
import * as rows from '../state/index.ts';
import { type Reading, readableRequest, type Which } from './read.service.ts';

/** Merges one branch into another, and stores the result in the transaction that it is given. */
export type MergeBranches = (asked: {
  userId: string;
  projectId: string;
  cause: Cause;
  input: CreateMerge;
  signal: AbortSignal;
  store(work: (trx: Trx) => Promise<Commit>): Promise<Commit>;
}) => Promise<Commit>;

export type DeleteBranch = (asked: {
  principal: Principal;
  projectId: string;
  name: string;
  cause: Cause;
}) => Promise<void>;

export type Merging = Reading & { mergeBranches: MergeBranches; deleteBranch: DeleteBranch };

type Asked = { which: Which; input: MergeMergeRequest; cause: Cause; signal: AbortSignal };

const strategies = { merge: 'merge', squash: 'squash', rebase: 'rebase', fast_forward: 'fast-forward' } as const;

/** Merges the newest version, unless the caller has seen another one. */
export async function mergeRequest(merging: Merging, principal: Principal, asked: Asked): Promise<rows.RequestRow> {
  const { db, publicUrl, mergeBranches } = merging;
  const { which, input, cause, signal } = asked;
  const { projectId, number } = which;
  const row = await readableRequest(merging, principal, which, cause);
  const head = row.head_sha.toString('hex');
  if (row.state === 'merged' && (input.head_sha ?? head) === head) return row;
  mustBeReady(row, input.head_sha);
  const { strategy = 'merge', message = messageOf(row, strategy) } = input;
  const { source, target } = row;
  await mergeBranches({
    userId: principal.userId,
    projectId,
    cause,
    signal,
    input: { source, target, source_sha: head, strategy: strategies[strategy], message } as CreateMerge,
    store: (work) =>
      transaction(db, async (trx) => {
        const project = await lockWritableProject(trx, projectId, principal.userId);
        // Under the project's lock: nobody closes it, merges it or pushes to it meanwhile.
        const now = await rows.findRequest(trx, projectId, number);
        if (!now) throw conflict('The merge request is gone');
        mustBeReady(now, head);
        const commit = await work(trx);
        // A merge commit has the request's commits, so it is noted already. Other strategies write new ones.
        if ((await rows.findRequest(trx, projectId, number))?.state === 'merged') return commit;
        await rows.noteMerged(trx, now, principal.userId, Buffer.from(commit.sha, 'hex'));
        const merged = (await rows.findRequest(trx, projectId, number)) ?? now;
        await rows.tellRequest(trx, 'merge_request.merged', merged, { project, publicUrl: publicUrl(), cause });
        return commit;
      }),
  });
  if (input.delete_branch && source !== mainBranch) {
    // The merge is done. Somebody else may have deleted the branch meanwhile.
    await merging.deleteBranch({ principal, projectId, name: source, cause }).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
    });
  }
  return readableRequest(merging, principal, which, cause);
}

function mustBeReady(row: rows.RequestRow, head: string | undefined): void {
  if (row.state !== 'open') throw conflict(`The merge request is ${row.state}`);
  if (row.draft) throw conflict('The merge request is a draft; mark it as ready first');
  if (head !== undefined && row.head_sha.toString('hex') !== head) {
    throw conflict('The source has other commits than those that were reviewed; look at the newest version first');
  }
}

function messageOf({ number, title, source, target, description }: rows.RequestRow, strategy: RequestStrategy): string {
  if (strategy === 'squash') return [`${title} (!${number})`, description].filter((part) => part !== '').join('\n\n');
  return `Merge branch '${source}' into ${target}\n\n${title} (!${number})`;
}
