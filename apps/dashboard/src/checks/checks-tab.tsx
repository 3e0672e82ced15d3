import './checks.css';
import type { MergeRequest } from '@bottega/contract';
import { Alert, Button, Code, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { requestKey, type Which } from '../api/merge-request.ts';
import { ItemList } from '../kit/paged-list.tsx';
import { Reason } from '../kit/reason.tsx';
import { toastRefusal } from '../kit/toast.ts';
import { useWords } from '../words/words.tsx';
import { CheckEntry } from './check-entry.tsx';
import { checksWords } from './checks.words.ts';
import { requestChecksQuery, startChecks } from './checks-query.ts';

type Props = {
  which: Which;
  target: MergeRequest['target'];
  /** The commit that the page shows. */
  head: MergeRequest['head_sha'];
  may: { write: boolean; readLogs: boolean };
  /** The id of the check whose details are open, and the line of its log. */
  shown: string | undefined;
  line: number | undefined;
  show: (id: string | undefined) => void;
};

/** The checks of a merge request. */
export default function ChecksTab({ which, target, head, may, shown, line, show }: Props) {
  const words = useWords(checksWords);
  const checks = useQuery(requestChecksQuery(which));
  const { merge_sha: sha, needs_start: waits } = checks.data ?? {};
  return (
    <Stack gap="sm">
      {checks.data?.problem && (
        <Alert color="yellow" variant="light" py="xs" role="status">
          <Text size="sm" className="breaks-anywhere">
            <Reason field="problem" of={checks.data} />
          </Text>
        </Alert>
      )}
      {waits && <Waiting which={which} head={head} canStart={may.write} />}
      {sha && (
        <Text size="sm" c="dimmed">
          {words.merged(target)} <Code>{sha.slice(0, 8)}</Code>
        </Text>
      )}
      <ItemList answer={checks} items={checks.data?.data} none={{ title: words.none, hint: words.noneHint }} lines={3}>
        {(items) => (
          <Stack gap={0} className="surface checks">
            {items.map((check) => (
              <CheckEntry
                key={check.name}
                check={check}
                which={which}
                may={may}
                isOpen={check.run !== null && check.run.id === shown}
                line={line}
                show={show}
              />
            ))}
          </Stack>
        )}
      </ItemList>
    </Stack>
  );
}

/** A notice about checks that run the code of somebody who is not a member. A member has to start them. */
function Waiting({ which, head, canStart }: { which: Which; head: string; canStart: boolean }) {
  const words = useWords(checksWords);
  const client = useQueryClient();
  const start = useMutation({
    mutationFn: () => startChecks(which, head),
    onError: toastRefusal,
    onSettled: () => client.invalidateQueries({ queryKey: requestKey(which) }),
  });
  return (
    <Alert color="yellow" variant="light" py="xs" title={words.waits}>
      <Text size="sm">{words.waitsHint}</Text>
      {canStart && (
        <Button size="xs" mt="xs" loading={start.isPending} onClick={() => start.mutate()}>
          {words.start}
        </Button>
      )}
    </Alert>
  );
}
