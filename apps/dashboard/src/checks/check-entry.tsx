import type { CheckRun, RequestCheck } from '@bottega/contract';
import { Badge, Box, Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { requestKey, type Which } from '../api/merge-request.ts';
import { confirm } from '../kit/confirm.tsx';
import { Loading } from '../kit/loading.tsx';
import { RowButton } from '../kit/row-button.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';
import { useLanguage, useWords } from '../words/words.tsx';
import { OutcomeIcon, outcomeOf } from './check-outcome.tsx';
import { checksWords } from './checks.words.ts';
import { cancelCheck, rerunCheck } from './checks-query.ts';
import { spent } from './spent.ts';

const CheckDetail = lazy(() => import('./check-detail.tsx'));

type May = { write: boolean; readLogs: boolean };
type Props = {
  check: RequestCheck;
  which: Which;
  may: May;
  isOpen: boolean;
  line: number | undefined;
  show: (id: string | undefined) => void;
};

/** A check in the list. Its log and its remarks are below it while it is open. */
export function CheckEntry({ check, which, may, isOpen, line, show }: Props) {
  const words = useWords(checksWords);
  const { name, required, changed, run } = check;
  const outcome = outcomeOf(check);
  return (
    <Box component="section" aria-label={name} className="check">
      <div className="check-line">
        <OutcomeIcon outcome={outcome} />
        <div className="check-name">
          <Group gap={6}>
            <Text size="sm" fw={600} span className="breaks-anywhere">
              {name}
            </Text>
            {required && (
              <Badge size="xs" variant="default">
                {words.required}
              </Badge>
            )}
            {changed && (
              <Badge size="xs" variant="light" color="yellow" c="var(--mantine-color-text)" title={words.changedHint}>
                {words.changed}
              </Badge>
            )}
          </Group>
          <Text size="xs" c="dimmed" role="status" lineClamp={2} className="breaks-anywhere">
            {words[outcome]}
            {run && <Facts run={run} />}
          </Text>
        </div>
        {run && <Actions {...{ run, which, may, isOpen }} toggle={() => show(isOpen ? undefined : run.id)} />}
      </div>
      {run && isOpen && (
        <Suspense fallback={<Loading lines={3} />}>
          <CheckDetail
            // A new run gets a new component, because it has a different log.
            key={`${run.id} ${run.attempt} ${run.status === 'queued'}`}
            run={run}
            which={which}
            canReadLog={may.readLogs}
            line={line}
          />
        </Suspense>
      )}
    </Box>
  );
}

function Facts({ run }: { run: CheckRun }) {
  const words = useWords(checksWords);
  const language = useLanguage();
  const { started_at: start, completed_at: end, attempt, needs, status, output } = run;
  const seconds = start && (Date.parse(end ?? new Date().toISOString()) - Date.parse(start)) / 1000;
  const facts = [
    output.title,
    seconds && spent(seconds, language),
    attempt > 1 && words.attempt(attempt),
    status === 'queued' && needs.length > 0 && words.needs(needs.join(', ')),
  ];
  return facts.filter(Boolean).map((fact) => ` · ${fact}`);
}

type ActionsProps = { run: CheckRun; which: Which; may: May; isOpen: boolean; toggle: () => void };

function Actions({ run, which, may, isOpen, toggle }: ActionsProps) {
  const words = useWords(checksWords);
  const client = useQueryClient();
  const settle = { onError: toastRefusal, onSettled: () => client.invalidateQueries({ queryKey: requestKey(which) }) };
  const rerun = useMutation({ mutationFn: rerunCheck, onSuccess: () => toast(words.rerunDone(run.name)), ...settle });
  const cancel = useMutation({ mutationFn: cancelCheck, ...settle });
  const ask = async () => {
    const question = { title: words.stopTitle(run.name), hint: words.stopHint, yes: words.stop, no: words.keep };
    if (await confirm(question)) cancel.mutate(run);
  };
  const runsHere = run.source === 'project' && may.write;
  return (
    <Group gap={6}>
      {run.details_url && (
        <Button
          component="a"
          href={run.details_url}
          target="_blank"
          rel="noreferrer nofollow"
          size="compact-xs"
          variant="default"
          aria-label={`${words.outside}: ${run.name}`}
        >
          {words.outside}
        </Button>
      )}
      {runsHere && run.status === 'completed' && (
        <RowButton label={words.rerun} of={run.name} loading={rerun.isPending} onClick={() => rerun.mutate(run)} />
      )}
      {runsHere && run.status !== 'completed' && (
        <RowButton label={words.stop} of={run.name} loading={cancel.isPending} onClick={() => void ask()} />
      )}
      <RowButton label={isOpen ? words.hide : words.details} of={run.name} onClick={toggle} />
    </Group>
  );
}
