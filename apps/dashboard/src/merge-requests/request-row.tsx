import type { MergeRequest } from '@bottega/contract';
import { Badge, Group, Stack, Text } from '@mantine/core';
import { AnchorLink } from '../kit/links.tsx';
import { Marks } from '../kit/marks.tsx';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { requestsWords } from './requests.words.ts';
import { sourceName } from './source-name.ts';
import { StateIcon } from './state-mark.tsx';

type Props = { request: MergeRequest; showsProject?: boolean };

/** A merge request in a list. */
export function RequestRow({ request, showsProject = false }: Props) {
  const words = useWords(requestsWords);
  const { number, project_id: projectId, title, draft, target, author, labels, created_at: at } = request;
  return (
    <Group px="sm" py={8} gap="sm" wrap="nowrap" align="flex-start">
      <StateIcon state={request.state} draft={draft} />
      <Stack gap={2} miw={0}>
        <Group gap="xs">
          <AnchorLink
            to="/projects/$projectId/merge-requests/$number"
            params={{ projectId, number: String(number) }}
            fw={600}
            size="sm"
            className="breaks-anywhere"
          >
            {title}
          </AnchorLink>
          <Marks marks={[draft && words.draft]} />
          {labels.map((label) => (
            <Badge key={label} size="xs" variant="light">
              {label}
            </Badge>
          ))}
        </Group>
        <Text size="xs" c="dimmed" className="breaks-anywhere">
          !{number} {words.openedBy(author?.name ?? words.deletedAccount)} <Ago at={at} />
          {showsProject && ` ${words.inProject(request.project_name)}`} · <bdi>{sourceName(request)}</bdi> →{' '}
          <bdi>{target}</bdi>
        </Text>
      </Stack>
    </Group>
  );
}
