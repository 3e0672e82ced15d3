import type { RequestStrategy } from '@bottega/contract';
import { Button, Checkbox, Group, NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { requestParams } from '../api/merge-request.ts';
import { mergeWords } from '../branches/merge.words.ts';
import { toast } from '../kit/toast.ts';
import { useWords } from '../words/words.tsx';
import { readinessWords } from './readiness.words.ts';
import { requestWords } from './request.words.ts';
import { useReview, useReviewChange } from './review-context.ts';

type Props = {
  /** Whether everything that is required is there. */
  isReady: boolean;
  /** Whether the merge request can wait in the queue for what is missing. */
  canWait: boolean;
  canForward: boolean;
};

/** The form for merging. Exactly those commits are merged that the page has shown. */
export function MergeForm({ isReady, canWait, canForward }: Props) {
  const words = useWords(requestWords);
  const ways = useWords(mergeWords);
  const waiting = useWords(readinessWords);
  const { which, request } = useReview();
  const [strategy, setStrategy] = useState<RequestStrategy>('merge');
  const [deletes, setDeletes] = useState(false);
  const merge = useReviewChange(
    (whenReady: boolean) =>
      call('POST /projects/{project_id}/merge-requests/{number}/merge', {
        params: requestParams(which),
        body: { strategy, head_sha: request.head_sha, delete_branch: deletes, when_ready: whenReady },
      }),
    (whenReady) => toast(whenReady ? waiting.queuedNow : ways.merged(request.source, request.target)),
  );
  const labels = { merge: ways.asMerge, squash: ways.asSquash, rebase: words.asRebase, fast_forward: ways.asForward };
  const hints = {
    merge: ways.asMergeHint,
    squash: ways.asSquashHint,
    rebase: words.asRebaseHint,
    fast_forward: ways.asForwardHint,
  };
  const isPossible = strategy !== 'fast_forward' || canForward;
  const isSending = (whenReady: boolean) => merge.isPending && merge.variables === whenReady;
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
      {request.source !== 'main' && !request.source_project && (
        <Checkbox
          label={words.deleteBranch(request.source)}
          checked={deletes}
          onChange={(event) => setDeletes(event.currentTarget.checked)}
        />
      )}
      <Group gap="sm">
        <Button
          disabled={!isReady || !isPossible}
          variant={canWait ? 'default' : 'filled'}
          loading={isSending(false)}
          onClick={() => merge.mutate(false)}
        >
          {words.merge}
        </Button>
        {canWait && (
          <Button loading={isSending(true)} onClick={() => merge.mutate(true)}>
            {waiting.mergeWhenReady}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
