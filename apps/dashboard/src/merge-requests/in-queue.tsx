import type { MergeRequest } from '@bottega/contract';
import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { AnchorLink } from '../kit/links.tsx';
import { toast } from '../kit/toast.ts';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { readinessWords } from './readiness.words.ts';
import { leaveQueue } from './requests-query.ts';
import { useReview, useReviewChange } from './review-context.ts';

type Place = NonNullable<MergeRequest['queue']>;

/** The place of the request in the queue of its target, and the way out. */
export function InQueue({ place }: { place: Place }) {
  const words = useWords(readinessWords);
  const { which, request, userId, may } = useReview();
  const leave = useReviewChange(
    () => leaveQueue(which),
    () => toast(words.leftNow),
  );
  const mayLeave = may.write || (may.comment && request.author?.id === userId);
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm" role="status" fw={600}>
        {words.place(place.position)}
      </Text>
      <QueueState place={place} />
      <Group gap="sm">
        {mayLeave && (
          <Button variant="default" loading={leave.isPending} onClick={() => leave.mutate(undefined)}>
            {words.leave}
          </Button>
        )}
        <AnchorLink
          to="/projects/$projectId/merge-requests"
          params={{ projectId: which.projectId }}
          search={{ state: 'queue', target: request.target === 'main' ? undefined : request.target }}
          size="sm"
        >
          {words.queueOf(request.target)}
        </AnchorLink>
      </Group>
    </Stack>
  );
}

/** What happens to a request in the queue, and who put it there. */
export function QueueState({ place }: { place: Place }) {
  const words = useWords(readinessWords);
  const { state, queued_by: by, queued_at: at, test_sha: sha } = place;
  return (
    <Text size="xs" c="dimmed" className="breaks-anywhere">
      {words[state]} {state === 'testing' && sha && <Code>{sha.slice(0, 8)}</Code>} ·{' '}
      {words.queuedBy(by?.name ?? words.deletedAccount)} <Ago at={at} />
    </Text>
  );
}
