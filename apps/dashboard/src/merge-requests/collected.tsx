import { Button, Group } from '@mantine/core';
import { useWords } from '../words/words.tsx';
import { requestWords } from './request.words.ts';
import { useReview } from './review-context.ts';
import { useApplying } from './suggestion.tsx';
import { threadWords } from './thread.words.ts';

/** Commits the collected suggestions together. */
export function Collected() {
  const words = useWords(threadWords);
  const ofRequest = useWords(requestWords);
  const { collected } = useReview();
  const apply = useApplying();
  if (collected.size === 0) return null;
  return (
    <Group role="region" aria-label={ofRequest.applyCollected} mb="sm">
      <Button size="xs" loading={apply.isPending} onClick={() => apply.mutate([...collected])}>
        {words.applyAll(collected.size)}
      </Button>
    </Group>
  );
}
