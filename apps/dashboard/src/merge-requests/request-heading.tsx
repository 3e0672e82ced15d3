import type { ChangeMergeRequest } from '@bottega/contract';
import { ActionIcon, Button, Code, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { requestParams, type Which } from '../api/merge-request.ts';
import { StateOfChecks } from '../checks/check-outcome.tsx';
import { requestChecksQuery } from '../checks/checks-query.ts';
import { confirm } from '../kit/confirm.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Reason } from '../kit/reason.tsx';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { requestWords } from './request.words.ts';
import { RequestPreview } from './request-preview.tsx';
import { useReview, useReviewChange } from './review-context.ts';
import { sourceName } from './source-name.ts';
import { StateMark } from './state-mark.tsx';

export const patchRequest = (which: Which, body: ChangeMergeRequest) =>
  call('PATCH /projects/{project_id}/merge-requests/{number}', { params: requestParams(which), body });

/** Changes a merge request. Its author and everybody with the right to write can do this. */
export function useRequestChange(done?: () => void) {
  const { which, request, userId, may } = useReview();
  const change = useReviewChange((body: ChangeMergeRequest) => patchRequest(which, body), done);
  const isAuthor = request.author?.id === userId;
  return { change, mayChange: may.write || (may.comment && isAuthor) };
}

/** The title, the state and the branches of a merge request, and its actions. */
export function RequestHeading() {
  const words = useWords(requestWords);
  const { request } = useReview();
  const [isEditing, setEditing] = useState(false);
  const { mayChange } = useRequestChange();
  return (
    <Stack gap="xs" my="sm">
      {isEditing ? (
        <TitleForm close={() => setEditing(false)} />
      ) : (
        <div className="request-heading">
          <Group gap="xs" miw={0} wrap="nowrap" align="flex-start">
            <Title order={2} fz="xl" className="request-title">
              {request.title}{' '}
              <Text span c="dimmed" fw={400} inherit>
                !{request.number}
              </Text>
            </Title>
            {mayChange && (
              <ActionIcon variant="subtle" color="gray" onClick={() => setEditing(true)} aria-label={words.editTitle}>
                <IconPencil size={16} />
              </ActionIcon>
            )}
          </Group>
          {mayChange && <Actions />}
        </div>
      )}
      <Group gap="xs">
        <StateMark state={request.state} draft={request.draft} />
        <Checks />
        <RequestPreview />
        <Text size="sm" c="dimmed" className="breaks-anywhere">
          {words.wants(request.author?.name ?? words.deletedAccount)} <Code>{sourceName(request)}</Code> →{' '}
          <Code>{request.target}</Code> · <Ago at={request.created_at} />
        </Text>
      </Group>
      {request.source_problem && (
        <Text size="sm" c="orange" role="status">
          {words.sourceProblem}{' '}
          <span className="breaks-anywhere">
            <Reason field="source_problem" of={request} />
          </span>
        </Text>
      )}
    </Stack>
  );
}

/** The state of all checks together, as a link to them. */
function Checks() {
  const { which } = useReview();
  const { data } = useQuery(requestChecksQuery(which));
  if (!data || data.state === 'none') return null;
  return (
    <AnchorLink
      to="/projects/$projectId/merge-requests/$number"
      params={{ projectId: which.projectId, number: String(which.number) }}
      search={{ tab: 'checks' }}
      display="inline-flex"
    >
      <StateOfChecks state={data.state} />
    </AnchorLink>
  );
}

function TitleForm({ close }: { close: () => void }) {
  const words = useWords(requestWords);
  const { request } = useReview();
  const { change } = useRequestChange(close);
  const [title, setTitle] = useState(request.title);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ title: title.trim() });
      }}
    >
      <Group gap="xs">
        <TextInput
          flex={1}
          miw={220}
          aria-label={words.requestTitle}
          required
          maxLength={255}
          value={title}
          autoFocus
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <Button type="submit" loading={change.isPending} disabled={title.trim() === ''}>
          {words.save}
        </Button>
        <Button variant="default" onClick={close}>
          {words.cancel}
        </Button>
      </Group>
    </form>
  );
}

function Actions() {
  const words = useWords(requestWords);
  const { request } = useReview();
  const { change } = useRequestChange();
  const button = { size: 'xs', variant: 'default', disabled: change.isPending } as const;
  const close = async () => {
    if (await confirm({ title: words.closeTitle, hint: words.closeHint, yes: words.close })) {
      change.mutate({ state: 'closed' });
    }
  };
  if (request.state === 'merged') return null;
  if (request.state === 'closed') {
    return (
      <Button {...button} onClick={() => change.mutate({ state: 'open' })}>
        {words.reopen}
      </Button>
    );
  }
  return (
    <Group gap="xs" wrap="nowrap">
      <Button {...button} onClick={() => change.mutate({ draft: !request.draft })}>
        {request.draft ? words.markReady : words.markDraft}
      </Button>
      <Button {...button} onClick={() => void close()}>
        {words.close}
      </Button>
    </Group>
  );
}
