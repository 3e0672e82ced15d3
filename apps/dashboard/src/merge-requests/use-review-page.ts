import type { MergeRequest, ReviewThread } from '@bottega/contract';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Which } from '../api/merge-request.ts';
import { projectQuery } from '../api/project.ts';
import { useRights } from '../api/rights.ts';
import { useSignedIn } from '../api/session.ts';
import type { ReviewPage } from './review-context.ts';

/** Everything that the parts of the page need. Null until it has been read. */
export function useReviewPage(
  which: Which,
  request: MergeRequest | undefined,
  threads: readonly ReviewThread[] | undefined,
): ReviewPage | null {
  const { data: project } = useSuspenseQuery(projectQuery(which.projectId));
  const { comment, write, manage, isMember } = useRights(project);
  const { user } = useSignedIn();
  const [collected, collect] = useState<ReadonlySet<string>>(new Set());
  return useMemo((): ReviewPage | null => {
    if (!request || !threads) return null;
    const drafts = threads.flatMap(({ comments }) => comments).filter(({ draft }) => draft).length;
    // The author of a request from a fork may not be a member.
    const mayComment = comment || (project.status === 'active' && request.author?.id === user.id);
    const may = { comment: mayComment, write, deleteAll: manage, readLogs: isMember };
    return { which, request, threads, userId: user.id, may, isMember, drafts, collected, collect };
  }, [which, request, threads, user.id, project.status, comment, write, manage, isMember, collected]);
}
