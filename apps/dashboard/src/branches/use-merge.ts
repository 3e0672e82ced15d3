import type { Comparison, MergeDetails, Resolution } from '@bottega/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call } from '../api/client.ts';
import { toast } from '../kit/toast.ts';
import { useWords } from '../words/words.tsx';
import { mergeWords } from './merge.words.ts';
import type { MergeForm } from './merge-dialog.tsx';

type Sides = { projectId: string; source: string; target: string };
type Sent = { form: MergeForm; resolutions?: Resolution[] };

/** Why the service refused a merge. Null if the error has no machine-readable reason. */
function refusalOf(error: unknown): MergeDetails | null {
  const details = error instanceof ApiError && error.status === 409 ? error.details : null;
  return details && 'reason' in details ? (details as MergeDetails) : null;
}

/** Merges the compared branches. If there are conflicts, keeps them for the screen. */
export function useMerge({ projectId, source, target }: Sides, comparison: Comparison | undefined) {
  const words = useWords(mergeWords);
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [found, setFound] = useState<(Omit<Sides, 'projectId'> & { details: MergeDetails; form: MergeForm }) | null>(
    null,
  );
  // The conflicts of other branches must not be shown after the browser's back button has changed the branches.
  const met = found?.source === source && found.target === target ? found : null;
  // Resolutions apply to the commits whose conflicts were shown, even if the page has read newer commits since.
  const seen = met
    ? { source_sha: met.details.source_sha, target_sha: met.details.target_sha }
    : comparison && { source_sha: comparison.head, target_sha: comparison.base };
  function leave(): void {
    setFound(null);
    setAsking(false);
  }
  const merging = useMutation({
    mutationFn: ({ form: { strategy, message }, resolutions }: Sent) =>
      call('POST /projects/{project_id}/merges', {
        params: { project_id: projectId },
        body: {
          source,
          target,
          strategy,
          ...(message.trim() !== '' && { message }),
          ...seen,
          ...(resolutions && { resolutions }),
        },
      }),
    onSuccess: async () => {
      leave();
      toast(words.merged(source, target));
      await client.invalidateQueries({ queryKey: ['projects', projectId] });
    },
    onError: (error, { form }) => {
      const details = refusalOf(error);
      if (details?.reason === 'conflicts') {
        setFound({ source, target, details, form });
        setAsking(false);
      }
    },
  });
  const reason = refusalOf(merging.error)?.reason;
  return {
    merging,
    met,
    /** The refusal in the user's language. Conflicts are not reported as a refusal: the screen shows them next. */
    refusal: reason && reason !== 'conflicts' ? new Error(words[reason]) : reason ? null : merging.error,
    isAsking,
    ask: () => setAsking(true),
    forget: () => {
      leave();
      merging.reset();
    },
  };
}
