import type { MergeRequestVersion, Review, ReviewThread } from '@bottega/contract';

type Happened =
  | { kind: 'version'; version: MergeRequestVersion }
  | { kind: 'review'; review: Review }
  | { kind: 'thread'; thread: ReviewThread };

export type Entry = Happened & { at: string; key: string };

type Parts = {
  versions: readonly MergeRequestVersion[];
  reviews: readonly Review[];
  threads: readonly ReviewThread[];
};

/**
 * What happened to a merge request, oldest first. Of entries with the same time, versions come first, then reviews,
 * then threads.
 */
export function timelineOf({ versions, reviews, threads }: Parts): Entry[] {
  const entries: Entry[] = [
    ...versions.map((version) => ({
      kind: 'version' as const,
      version,
      at: version.created_at,
      key: `version ${version.version}`,
    })),
    ...reviews.map((review) => ({ kind: 'review' as const, review, at: review.submitted_at, key: review.id })),
    ...threads.map((thread) => ({ kind: 'thread' as const, thread, at: thread.created_at, key: thread.id })),
  ];
  return entries.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

export type Verdict = 'approved' | 'changesRequested' | 'commented' | 'outdated' | 'waiting';

/**
 * A person's verdict on the newest version. `outdated` means that the approval was for other changes than this version
 * contains.
 */
export function verdictOf(reviews: readonly Review[], userId: string): Verdict {
  const own = reviews.filter(({ author }) => author?.id === userId);
  const last = own.findLast(({ event }) => event !== 'COMMENT');
  if (!last) return own.length > 0 ? 'commented' : 'waiting';
  if (!last.holds) return 'outdated';
  return last.event === 'APPROVE' ? 'approved' : 'changesRequested';
}
