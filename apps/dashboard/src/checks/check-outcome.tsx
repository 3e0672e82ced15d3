import type { CheckState, RequestCheck } from '@bottega/contract';
import { Group, Text } from '@mantine/core';
import { StatusIcon } from '../kit/status-icon.tsx';
import { useWords } from '../words/words.tsx';
import { checksWords } from './checks.words.ts';

type Run = NonNullable<RequestCheck['run']>;
export type Outcome = 'missing' | 'unaffected' | 'queued' | 'in_progress' | NonNullable<Run['conclusion']>;

/** The state or the conclusion of a check, as one word. */
export function outcomeOf({ run, applies }: Pick<RequestCheck, 'run' | 'applies'>): Outcome {
  if (!applies) return 'unaffected';
  if (!run) return 'missing';
  return run.status === 'completed' ? (run.conclusion ?? 'neutral') : run.status;
}

const looks = {
  missing: 'pending',
  unaffected: 'canceled',
  queued: 'pending',
  in_progress: 'building',
  success: 'success',
  failure: 'failed',
  timed_out: 'failed',
  action_required: 'failed',
  neutral: 'neutral',
  cancelled: 'canceled',
  skipped: 'canceled',
} as const satisfies Record<Outcome, unknown>;

export const OutcomeIcon = ({ outcome }: { outcome: Outcome }) => <StatusIcon status={looks[outcome]} />;

/** The state of all checks together. Shows nothing if there are no checks. */
export function StateOfChecks({ state }: { state: CheckState }) {
  const words = useWords(checksWords);
  if (state === 'none') return null;
  const said = { pending: words.allPending, success: words.allSuccess, failure: words.allFailure }[state];
  return (
    <Group gap={6} wrap="nowrap" component="span">
      <StatusIcon status={{ pending: 'building', success: 'success', failure: 'failed' }[state] as 'building'} />
      <Text size="sm" component="span">
        {said}
      </Text>
    </Group>
  );
}
