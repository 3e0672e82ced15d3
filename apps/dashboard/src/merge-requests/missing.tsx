import type { MergeReadiness } from '@bottega/contract';
import { Alert, List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../words/words.tsx';
import { readinessWords } from './readiness.words.ts';

type Block = MergeReadiness['blocked_by'][number];

/** Reasons that other parts of the page show in more detail. */
const saidElsewhere: ReadonlySet<Block['reason']> = new Set(['draft', 'closed', 'conflicts', 'changes_requested']);

export function Stops({ children }: { children: ReactNode }) {
  return (
    <Alert color="yellow" variant="light" py="xs" role="status">
      {children}
    </Alert>
  );
}

/** What the rules of the target still require. */
export function Missing({ readiness }: { readiness: MergeReadiness }) {
  const words = useWords(readinessWords);
  const { approvals, blocked_by: blocks } = readiness;
  const missing = blocks.filter(({ reason }) => !saidElsewhere.has(reason));
  const sentenceOf = ({ reason, message, names }: Block): string => {
    if (reason === 'approvals') return words.approvals(approvals.given, approvals.required);
    const say = names.length > 0 && reason in words && words[reason as keyof typeof words];
    return typeof say === 'function' ? (say as (names: string) => string)(names.join(', ')) : message;
  };
  if (missing.length === 0) {
    return approvals.required > 0 ? <Text size="sm">{words.enough(approvals.given, approvals.required)}</Text> : null;
  }
  return (
    <Stops>
      <Text size="sm" fw={600}>
        {words.missing}
      </Text>
      <List size="sm">
        {missing.map((block) => (
          <List.Item key={block.reason + block.message} className="breaks-anywhere">
            {sentenceOf(block)}
          </List.Item>
        ))}
      </List>
    </Stops>
  );
}
