import type { MergeRequest } from '@bottega/contract';
import { Badge } from '@mantine/core';
import {
  IconGitMerge,
  IconGitPullRequest,
  IconGitPullRequestClosed,
  IconGitPullRequestDraft,
} from '@tabler/icons-react';
import { useWords } from '../words/words.tsx';
import { requestsWords } from './requests.words.ts';

type Props = Pick<MergeRequest, 'state' | 'draft'>;

const iconOf = ({ state, draft }: Props) => {
  if (state === 'merged') return IconGitMerge;
  if (state === 'closed') return IconGitPullRequestClosed;
  return draft ? IconGitPullRequestDraft : IconGitPullRequest;
};

const colours = { open: 'var(--added-text)', merged: 'var(--mantine-color-anchor)', closed: 'var(--removed-text)' };
const tints = { open: 'var(--added)', merged: 'var(--mantine-primary-color-light)', closed: 'var(--removed)' };

/** The state as an icon, for lists of one state. */
export function StateIcon(props: Props) {
  const words = useWords(requestsWords);
  const Icon = iconOf(props);
  const colour = props.draft && props.state === 'open' ? 'var(--mantine-color-dimmed)' : colours[props.state];
  return (
    <Icon
      size={18}
      role="img"
      aria-label={props.state === 'open' && props.draft ? words.draft : words[props.state]}
      style={{ color: colour, flex: 'none', marginTop: 1 }}
    />
  );
}

/** The state as a word on a tint. It has no border, because only things that can be pressed have one. */
export function StateMark(props: Props) {
  const words = useWords(requestsWords);
  const Icon = iconOf(props);
  const isDraft = props.state === 'open' && props.draft;
  return (
    <Badge
      size="lg"
      bg={isDraft ? 'var(--surface-raised)' : tints[props.state]}
      c="var(--mantine-color-text)"
      leftSection={<Icon size={14} aria-hidden style={{ color: colours[props.state], display: 'block' }} />}
    >
      {isDraft ? words.draft : words[props.state]}
    </Badge>
  );
}
