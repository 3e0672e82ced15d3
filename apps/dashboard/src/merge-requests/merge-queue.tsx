import type { MergeRequest } from '@bottega/contract';
import { Box, Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { requestsKey } from '../api/merge-request.ts';
import { useSignedIn } from '../api/session.ts';
import { branchesQuery } from '../branches/branches-query.ts';
import { AnchorLink, BackLink } from '../kit/links.tsx';
import { ItemList, Rows } from '../kit/paged-list.tsx';
import { RowButton } from '../kit/row-button.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';
import { useWords } from '../words/words.tsx';
import { QueueState } from './in-queue.tsx';
import { readinessWords } from './readiness.words.ts';
import { leaveQueue, queueQuery } from './requests-query.ts';

type Props = {
  projectId: string;
  target: string;
  may: { write: boolean; comment: boolean };
  choose: (target: string) => void;
};

/** The merge requests that are merged one after the other into a branch. */
export function MergeQueue({ projectId, target, may, choose }: Props) {
  const words = useWords(readinessWords);
  const { user } = useSignedIn();
  const queue = useQuery(queueQuery(projectId, target));
  const branches = useQuery(branchesQuery(projectId));
  const names = new Set([target, ...(branches.data ?? []).map(({ name }) => name)]);
  const mayLeave = ({ author }: MergeRequest) => may.write || (may.comment && author?.id === user.id);
  return (
    <Box component="section" aria-label={words.queueOf(target)}>
      <BackLink to="/projects/$projectId/merge-requests" params={{ projectId }}>
        {words.back}
      </BackLink>
      <Title order={2} my="sm" className="breaks-anywhere">
        {words.queueOf(target)}
      </Title>
      <Stack gap="sm" mb="md">
        <Text size="sm" c="dimmed">
          {words.queueHint}
        </Text>
        <NativeSelect
          maw={420}
          label={words.target}
          value={target}
          onChange={(event) => choose(event.currentTarget.value)}
          data={[...names]}
        />
      </Stack>
      <ItemList answer={queue} items={queue.data} none={{ title: words.empty, hint: words.emptyHint }}>
        {(requests) => (
          <Rows>
            {requests.map((request) => (
              <QueueRow key={request.number} request={request} mayLeave={mayLeave(request)} />
            ))}
          </Rows>
        )}
      </ItemList>
    </Box>
  );
}

function QueueRow({ request, mayLeave }: { request: MergeRequest; mayLeave: boolean }) {
  const words = useWords(readinessWords);
  const client = useQueryClient();
  const { number, project_id: projectId, title, queue } = request;
  const leave = useMutation({
    mutationFn: () => leaveQueue({ projectId, number }),
    onSuccess: () => toast(words.leftNow),
    onError: toastRefusal,
    onSettled: () => client.invalidateQueries({ queryKey: requestsKey(projectId) }),
  });
  return (
    <Group px="sm" py={8} gap="xs" align="flex-start">
      <Group gap="sm" wrap="nowrap" align="flex-start" miw={0} flex="1 1 240px">
        <Text size="sm" fw={600} miw={20} flex="none">
          {queue?.position}
        </Text>
        <Stack gap={2} miw={0}>
          <AnchorLink
            to="/projects/$projectId/merge-requests/$number"
            params={{ projectId, number: String(number) }}
            fw={600}
            size="sm"
            className="breaks-anywhere"
          >
            {title}
          </AnchorLink>
          {queue && <QueueState place={queue} />}
        </Stack>
      </Group>
      {mayLeave && (
        <RowButton
          label={words.leave}
          of={`!${number}`}
          loading={leave.isPending}
          onClick={() => leave.mutate(undefined)}
        />
      )}
    </Group>
  );
}
