import type { ListedWebhook } from '@bottega/contract';
import { Badge, Code, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { StatusIcon } from '../kit/status-icon.tsx';
import { Ago } from '../words/time.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { rateOf } from './days.ts';
import { webhooksWords } from './webhooks.words.ts';
import { choosableProjectsQuery } from './webhooks-query.ts';

/** Whether a webhook is paused. If `paused_until` is in the past, the pause is over, even if nothing was sent since. */
const isPaused = ({ paused_until }: Pick<ListedWebhook, 'paused_until'>): boolean =>
  paused_until !== null && Date.parse(paused_until) > Date.now();

type Props = {
  webhooks: readonly ListedWebhook[];
  isOld: boolean;
  /** False if all webhooks belong to the project of the screen. */
  withProjects: boolean;
};

export function WebhookTable({ webhooks, isOld, withProjects }: Props) {
  const words = useWords(webhooksWords);
  const language = useLanguage();
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const rate = (stats: ListedWebhook['stats']) => {
    const value = rateOf(stats);
    return value !== null && percent.format(value / 100);
  };
  const columns: Column<ListedWebhook>[] = [
    { name: words.name, cell: (webhook) => <NameLine webhook={webhook} withProject={withProjects} />, maw: 360 },
    { name: words.events, cell: ({ events }) => <EventNames names={events} />, visibleFrom: 'md', maw: 320 },
    { name: words.state, cell: (webhook) => <WebhookState webhook={webhook} /> },
    { name: words.arrived, cell: ({ stats }) => rate(stats), visibleFrom: 'sm', ta: 'right' },
    {
      name: words.last,
      cell: ({ stats }) => (stats.last_delivery ? <Ago at={stats.last_delivery} /> : words.never),
      visibleFrom: 'sm',
      ta: 'right',
    },
  ];
  return <DataTable rows={webhooks} columns={columns} keyOf={(webhook) => webhook.webhook_id} isOld={isOld} />;
}

function NameLine({ webhook, withProject }: { webhook: ListedWebhook; withProject: boolean }) {
  return (
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
  );
}

function EventNames({ names }: { names: string[] }) {
  return (
    <>
      {names.slice(0, 3).map((name) => (
        <Code key={name} mr={4}>
          {name}
        </Code>
      ))}
      {names.length > 3 && (
        <Text span size="xs" c="dimmed">
          +{names.length - 3}
        </Text>
      )}
    </>
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
