import type { Review } from '@bottega/contract';
import { ActionIcon, Badge, Box, Button, Group, Popover, Stack, TagsInput, Text, Title } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { projectQuery } from '../api/project.ts';
import { Form } from '../kit/form.tsx';
import { useWords } from '../words/words.tsx';
import { membersOf } from './members.ts';
import { PeopleField } from './people-field.tsx';
import { requestWords } from './request.words.ts';
import { useRequestChange } from './request-heading.tsx';
import { useReview } from './review-context.ts';
import { verdictOf } from './timeline.ts';

type Field = 'reviewers' | 'assignees' | 'labels';

/** People and labels of the request. */
export function RequestSidebar({ reviews }: { reviews: readonly Review[] }) {
  const words = useWords(requestWords);
  const { request } = useReview();
  return (
    <Stack component="aside" gap="lg" aria-label={words.details}>
      <Part field="reviewers">
        {request.reviewers.map((one) => (
          <Group key={one?.id ?? 'gone'} gap={6} justify="space-between">
            <Text size="sm">{one?.name ?? words.deletedAccount}</Text>
            <Text size="xs" c="dimmed">
              {one && words[verdictOf(reviews, one.id)]}
            </Text>
          </Group>
        ))}
        {request.reviewers.length === 0 && <None>{words.nobody}</None>}
      </Part>
      <Part field="assignees">
        {request.assignees.map((one) => (
          <Text key={one?.id ?? 'gone'} size="sm">
            {one?.name ?? words.deletedAccount}
          </Text>
        ))}
        {request.assignees.length === 0 && <None>{words.nobody}</None>}
      </Part>
      <Part field="labels">
        <Group gap={6}>
          {request.labels.map((label) => (
            <Badge key={label} variant="light">
              {label}
            </Badge>
          ))}
        </Group>
        {request.labels.length === 0 && <None>{words.noLabels}</None>}
      </Part>
    </Stack>
  );
}

function None({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}

function Part({ field, children }: { field: Field; children: ReactNode }) {
  const words = useWords(requestWords);
  const { may } = useReview();
  const [isOpen, setOpen] = useState(false);
  return (
    <Box component="section" aria-label={words[field]}>
      <Group justify="space-between" mb={4}>
        <Title order={3} fz="sm">
          {words[field]}
        </Title>
        {may.write && (
          <Popover
            opened={isOpen}
            onChange={setOpen}
            position="bottom-end"
            width={280}
            trapFocus
            returnFocus
            shadow="md"
          >
            <Popover.Target>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                onClick={() => setOpen(!isOpen)}
                aria-label={words.edit(words[field])}
              >
                <IconPencil size={14} />
              </ActionIcon>
            </Popover.Target>
            <Popover.Dropdown aria-label={words.edit(words[field])}>
              <PartForm field={field} close={() => setOpen(false)} />
            </Popover.Dropdown>
          </Popover>
        )}
      </Group>
      {children}
    </Box>
  );
}

function PartForm({ field, close }: { field: Field; close: () => void }) {
  const words = useWords(requestWords);
  const { which, request } = useReview();
  const { data: project } = useSuspenseQuery(projectQuery(which.projectId));
  const { change } = useRequestChange(close);
  const [values, setValues] = useState(() =>
    field === 'labels' ? request.labels : request[field].flatMap((one) => (one ? [one.id] : [])),
  );
  const members = membersOf(project).filter(({ id }) => field !== 'reviewers' || id !== request.author?.id);
  return (
    <Form submit={() => change.mutate({ [field]: values })} gap="xs">
      {field === 'labels' ? (
        <TagsInput
          aria-label={words.labels}
          description={words.labelsHint}
          maxTags={20}
          maxLength={50}
          value={values}
          onChange={setValues}
        />
      ) : (
        <PeopleField aria-label={words[field]} members={members} value={values} change={setValues} />
      )}
      <Button type="submit" size="xs" loading={change.isPending}>
        {words.save}
      </Button>
    </Form>
  );
}
