import type { RequestStrategy } from '@bottega/contract';
import { Button, Checkbox, NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { mergeWords } from '../branches/merge.words.ts';
import { toast } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { requestWords } from './request.words.ts';
import { requestParams } from './requests-query.ts';
import { useReview, useReviewChange } from './review-context.ts';

type Props = { canMerge: boolean; canForward: boolean };

/** How to merge, and the button. It merges exactly the commits that the page has shown. */
export function MergeForm({ canMerge, canForward }: Props) {
  const words = useWords(requestWords);
  const ways = useWords(mergeWords);
  const { which, request } = useReview();
  const [strategy, setStrategy] = useState<RequestStrategy>('merge');
  const [deletes, setDeletes] = useState(false);
  const merge = useReviewChange(
    () =>
      call('POST /projects/{project_id}/merge-requests/{number}/merge', {
        params: requestParams(which),
        body: { strategy, head_sha: request.head_sha, delete_branch: deletes },
      }),
    () => toast(ways.merged(request.source, request.target)),
  );
  const labels = { merge: ways.asMerge, squash: ways.asSquash, rebase: words.asRebase, fast_forward: ways.asForward };
  const hints = {
    merge: ways.asMergeHint,
    squash: ways.asSquashHint,
    rebase: words.asRebaseHint,
    fast_forward: ways.asForwardHint,
  };
  const isPossible = canMerge && (strategy !== 'fast_forward' || canForward);
  return (
    <Stack gap="sm" align="flex-start">
      <NativeSelect
        label={words.strategy}
        description={hints[strategy]}
        inputWrapperOrder={['label', 'input', 'description']}
        value={strategy}
        onChange={(event) => setStrategy(event.currentTarget.value as RequestStrategy)}
        data={Object.entries(labels).map(([value, label]) => ({ value, label }))}
      />
      {request.source !== 'main' && (
        <Checkbox
          label={words.deleteBranch(request.source)}
          checked={deletes}
          onChange={(event) => setDeletes(event.currentTarget.checked)}
        />
      )}
      <Button disabled={!isPossible} loading={merge.isPending} onClick={() => merge.mutate(undefined)}>
        {words.merge}
      </Button>
    </Stack>
  );
}
