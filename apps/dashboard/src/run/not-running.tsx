import type { Workspace } from '@bottega/contract';
import { Button, Group, Text } from '@mantine/core';
import { ApiError } from '../api/client.ts';
import { placeOf } from '../api/project.ts';
import { ButtonLink } from '../kit/links.tsx';
import { Loading } from '../kit/loading.tsx';
import { Reason } from '../kit/reason.tsx';
import { messageOf, Problem, Refusal } from '../kit/refusal.tsx';
import { StatusIcon } from '../kit/status-icon.tsx';
import { useWords } from '../words/words.tsx';
import { Middle, Said } from './middle.tsx';
import { runWords } from './run.words.ts';
import type { Running } from './use-workspace.ts';

type Props = { running: Running; branch: string; canWrite: boolean };

/** Why nothing runs on this branch, and what to do about it. */
export function NotRunning({ running, branch, canWrite }: Props) {
  const words = useWords(runWords);
  const { workspace, moved, start, isStarting, isStopping } = running;
  const begin = (word: string) =>
    canWrite && (
      <Button size="xs" onClick={() => start.mutate()}>
        {word}
      </Button>
    );
  if (!running.isKnown) {
    return running.error ? <Refusal error={running.error} retry={running.refetch} /> : <Loading lines={3} />;
  }
  if (isStarting || isStopping) {
    return (
      <Middle>
        <Group gap={6} role="status">
          <StatusIcon status="building" />
          <Text size="sm">{isStopping ? words.stoppingHint : words.startingHint}</Text>
        </Group>
      </Middle>
    );
  }
  if (start.error || workspace?.status === 'failed') {
    return (
      <Middle>
        {start.error ? <Refused error={start.error} /> : workspace && <WhyFailed workspace={workspace} />}
        {begin(words.again)}
      </Middle>
    );
  }
  if (moved) {
    const { projectId, branch: ref } = placeOf(moved.project_id, moved.branch);
    return (
      <Middle>
        <Said title={words.moved(moved.branch)} hint={words.movedHint} />
        <ButtonLink to="/projects/$projectId/files" params={{ projectId }} search={{ ref, run: true }} size="xs">
          {words.openBranch(moved.branch)}
        </ButtonLink>
      </Middle>
    );
  }
  const [title, hint, word] = workspace
    ? [words.sleepingTitle, words.sleepingHint, words.wake]
    : [words.none(branch), canWrite ? words.noneHint : words.noneReader, words.start];
  return (
    <Middle>
      <Said title={title} hint={hint} />
      {begin(word)}
    </Middle>
  );
}

/**
 * Shows why a workspace could not be started. If the installation cannot run workspaces at all, shows the reason for
 * that.
 */
function Refused({ error }: { error: unknown }) {
  const words = useWords(runWords);
  if (!(error instanceof ApiError && error.status === 503)) return <Refusal error={error} />;
  return (
    <Problem title={words.cannotRun}>
      <Text size="sm" lang="en" className="breaks-anywhere">
        {messageOf(error)}
      </Text>
    </Problem>
  );
}

function WhyFailed({ workspace }: { workspace: Workspace }) {
  const words = useWords(runWords);
  return (
    <Problem title={words.failedTitle}>
      <Text size="sm" className="breaks-anywhere">
        <Reason field="reason" of={workspace} />
      </Text>
    </Problem>
  );
}
