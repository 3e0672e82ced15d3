import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useWords } from '../words/words.tsx';
import { requestWords } from './request.words.ts';
import { diffQuery } from './requests-query.ts';
import { useReview } from './review-context.ts';

type Name = 'conversation' | 'changes';

/** The two parts of the page, with the number of changed files. */
export function RequestTabs({ tab, go }: { tab: Name; go: (name: Name) => void }) {
  const words = useWords(requestWords);
  const { which, request } = useReview();
  const { data } = useQuery(diffQuery(which, { from: undefined, to: request.version }));
  return (
    <Tabs value={tab} onChange={(name) => go(name === 'changes' ? 'changes' : 'conversation')} mb="md">
      <Tabs.List aria-label={words.sections}>
        <Tabs.Tab value="conversation" aria-controls="request-part" py={8}>
          {words.conversation}
        </Tabs.Tab>
        <Tabs.Tab value="changes" aria-controls="request-part" py={8}>
          {data ? words.changesOf(data.files.length) : words.changes}
        </Tabs.Tab>
      </Tabs.List>
    </Tabs>
  );
}
