import type { MergeRequest, ReviewThread } from '@bottega/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { requestKey, type Which } from '../api/merge-request.ts';
import { toastRefusal } from '../kit/toast.ts';

/** What all parts of the page of a request need. */
export type ReviewPage = {
  which: Which;
  request: MergeRequest;
  threads: readonly ReviewThread[];
  userId: string;
  may: { comment: boolean; write: boolean; deleteAll: boolean; readLogs: boolean };
  /** Whether the user is a member, who gets the events of the project and sees its previews. */
  isMember: boolean;
  /** Number of comments that the user has not submitted yet. */
  drafts: number;
  /** Ids of comments whose suggestions the user wants to apply together. */
  collected: ReadonlySet<string>;
  collect: (ids: ReadonlySet<string>) => void;
};

export const ReviewContext = createContext<ReviewPage | null>(null);

export function useReview(): ReviewPage {
  const page = useContext(ReviewContext);
  if (!page) throw new Error('a part of a merge request is shown outside its page');
  return page;
}

/** Makes a change and reads the merge request again. A refusal is shown as a toast, and the typed text stays. */
export function useReviewChange<Sent>(send: (sent: Sent) => Promise<unknown>, done?: (sent: Sent) => void) {
  const { which } = useReview();
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onError: toastRefusal,
    onSuccess: async (_answer, sent) => {
      await client.invalidateQueries({ queryKey: requestKey(which) });
      done?.(sent);
    },
  });
}
