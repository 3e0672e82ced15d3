import type { ListedWebhook } from '@bottega/contract';
import { Badge, Code, Group, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { StatusIcon } from '../kit/status-icon.tsx';
import { Ago } from '../words/time.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { webhooksWords } from './webhooks.words.ts';
import { choosableProjectsQuery } from './webhooks-query.ts';

/** `paused_until` of the past is over, though nothing was sent since. */
const isPaused = ({ paused_until }: Pick<ListedWebhook, 'paused_until'>): boolean =>
  paused_until !== null && Date.parse(paused_until) > Date.now();

type Props = {
  webhooks: ListedWebhook[];
  isOld: boolean;
  /** Not where all are of the one that the screen is about. */
  withProjects: boolean;
};

export function WebhookTable({ webhooks, isOld, withProjects }: Props) {
  const words = useWords(webhooksWords);
  return (
    <Table.ScrollContainer minWidth={330} className="surface">
      <Table highlightOnHover aria-busy={isOld}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.name}</Table.Th>
            <Table.Th visibleFrom="md">{words.events}</Table.Th>
            <Table.Th>{words.state}</Table.Th>
            <Table.Th visibleFrom="sm" ta="right">
              {words.arrived}
            </Table.Th>
            <Table.Th visibleFrom="sm" ta="right">
              {words.last}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {webhooks.map((webhook) => (
            <Row key={webhook.webhook_id} webhook={webhook} withProject={withProjects} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Row({ webhook, withProject }: { webhook: ListedWebhook; withProject: boolean }) {
  const words = useWords(webhooksWords);
  const language = useLanguage();
  const { stats, events } = webhook;
  const rate = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const ended = stats.successful_deliveries + stats.failed_deliveries;
  return (
    <Table.Tr>
      <Table.Td maw={360}>
        <Stack gap={0}>
          <Group gap={6}>
            <Link to="/webhooks/$webhookId/deliveries" params={{ webhookId: webhook.webhook_id }} className="plain">
              <Text fw={600} size="sm">
                {webhook.name}
              </Text>
            </Link>
            {withProject && webhook.project_id && <ProjectBadge id={webhook.project_id} />}
          </Group>
          <Text size="xs" c="dimmed" lineClamp={1} style={{ wordBreak: 'break-all' }}>
            {webhook.url}
          </Text>
        </Stack>
      </Table.Td>
      <Table.Td visibleFrom="md" maw={320}>
        {events.slice(0, 3).map((name) => (
          <Code key={name} mr={4}>
            {name}
          </Code>
        ))}
        {events.length > 3 && (
          <Text span size="xs" c="dimmed">
            +{events.length - 3}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <WebhookState webhook={webhook} />
      </Table.Td>
      <Table.Td visibleFrom="sm" ta="right">
        {ended > 0 && rate.format(stats.success_rate / 100)}
      </Table.Td>
      <Table.Td visibleFrom="sm" ta="right" style={{ whiteSpace: 'nowrap' }}>
        {stats.last_delivery ? <Ago at={stats.last_delivery} /> : words.never}
      </Table.Td>
    </Table.Tr>
  );
}

function ProjectBadge({ id }: { id: string }) {
  const { data } = useQuery(choosableProjectsQuery);
  const name = data?.find((one) => one.id === id)?.name;
  return name ? (
    <Badge size="xs" variant="default">
      {name}
    </Badge>
  ) : null;
}

function WebhookState({ webhook }: { webhook: ListedWebhook }) {
  const words = useWords(webhooksWords);
  const paused = webhook.active && isPaused(webhook);
  const status = !webhook.active ? (webhook.disabled_reason ? 'failed' : 'canceled') : paused ? 'pending' : 'success';
  return (
    <Group gap={6} wrap="nowrap">
      <StatusIcon status={status} />
      <Text size="sm">{webhook.active ? (paused ? words.paused : words.active) : words.inactive}</Text>
    </Group>
  );
}
