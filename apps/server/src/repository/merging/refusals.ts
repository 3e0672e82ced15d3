import type { MergeDetails } from '@bottega/contract';
import { AppError } from '../../foundation/http/index.ts';

/** What was to be merged into what. */
export type Ends = { source: { sha: Buffer }; target: { sha: Buffer } };

const messages: Record<MergeDetails['reason'], string> = {
  conflicts: 'The two sides have changed the same places in different ways',
  nothing_to_merge: 'The target has all commits of the source already',
  not_fast_forward: 'The target has commits that the source does not have; it cannot be moved forward to the source',
  unrelated_histories: 'The two histories have no commit in common',
  source_moved: 'The source is at another commit by now',
  target_moved: 'The target is at another commit by now',
};

/** A merge that is not made, and why, for programs too. */
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
  new AppError('SERVICE_UNAVAILABLE', 'Merging needs git 2.38 or newer on the server; merge in a clone, then push');
