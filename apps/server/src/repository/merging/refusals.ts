import type { MergeDetails } from '@bottega/contract';
import { AppError } from '../../foundation/http/index.ts';

/** The source and the target of a merge. */
export type Ends = { source: { sha: Buffer }; target: { sha: Buffer } };

const messages: Record<MergeDetails['reason'], string> = {
  conflicts: 'The branches have conflicting changes',
  nothing_to_merge: 'The target already has all commits of the source',
  not_fast_forward: 'The target has commits that the source does not have, so it cannot be fast-forwarded',
  unrelated_histories: 'The two histories have no commit in common',
  source_moved: 'The source has moved to another commit',
  target_moved: 'The target has moved to another commit',
};

/** A refused merge, with a reason that programs can read too. */
export class MergeRefused extends AppError {
  readonly reason: MergeDetails['reason'];

  constructor(
    reason: MergeDetails['reason'],
    { source, target }: Ends,
    told: Pick<MergeDetails, 'conflicts' | 'total'> = {},
  ) {
    const shas = { source_sha: source.sha.toString('hex'), target_sha: target.sha.toString('hex') };
    super('CONFLICT', messages[reason], { details: { reason, ...shas, ...told } satisfies MergeDetails });
    this.reason = reason;
  }
}

export const gitTooOld = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'Merging requires git 2.38 or newer on the server; merge in a clone, then push');
