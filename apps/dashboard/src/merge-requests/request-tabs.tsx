import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { checksWords } from '../checks/checks.words.ts';
import { requestChecksQuery } from '../checks/checks-query.ts';
import { useWords } from '../words/words.tsx';
import { diffQuery } from './diff-query.ts';
import { requestWords } from './request.words.ts';
import { useReview } from './review-context.ts';

const names = ['conversation', 'changes', 'checks'] as const;
export type TabName = (typeof names)[number];

/** The parts of the page, with the number of changed files and of checks. */
export function RequestTabs({ tab, go }: { tab: TabName; go: (name: TabName) => void }) {
  const words = useWords(requestWords);
  const ofChecks = useWords(checksWords);
  const { which, request } = useReview();
  const { data: diff } = useQuery(diffQuery(which, { from: undefined, to: request.version }, request.version));
  const { data: checks } = useQuery(requestChecksQuery(which));
  const labels = {
    conversation: words.conversation,
    changes: diff ? words.changesOf(diff.files.length) : words.changes,
    checks: checks?.data.length ? ofChecks.checksOf(checks.data.length) : ofChecks.checks,
  };
  return (
    <Tabs value={tab} onChange={(name) => go(names.find((one) => one === name) ?? 'conversation')} mb="md">
      <Tabs.List aria-label={words.sections} className="section-tabs">
        {names.map((name) => (
          <Tabs.Tab key={name} value={name} aria-controls="request-part" py={8}>
            {labels[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}
