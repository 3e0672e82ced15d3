import { type MergeDetails, reasonSentence } from '@bottega/contract';
import { AppError } from '../../foundation/http/index.ts';

/** The source and the target of a merge. */
export type Ends = { source: { sha: Buffer }; target: { sha: Buffer } };

const messages: Record<MergeDetails['reason'], string> = {
  conflicts: reasonSentence('merge_conflicts'),
  nothing_to_merge: reasonSentence('merge_nothing'),
  not_fast_forward: reasonSentence('merge_not_fast_forward'),
  unrelated_histories: reasonSentence('merge_unrelated'),
  source_moved: reasonSentence('merge_source_moved'),
  target_moved: reasonSentence('merge_target_moved'),
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
