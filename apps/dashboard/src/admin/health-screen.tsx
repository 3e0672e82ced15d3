import type { AdminHealth } from '@bottega/contract';
import { Alert, Badge, Box, Code, Group, List, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Loading } from '../kit/loading.tsx';
import { Section } from '../kit/page.tsx';
import { Rows } from '../kit/paged-list.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { inBytes, lasting } from '../words/amounts.ts';
import { Ago } from '../words/time.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { healthWords } from './health.words.ts';
import { Figures, Part } from './health-figures.tsx';
import { problemsOf } from './health-problems.ts';

type Job = AdminHealth['jobs'][number];

/**
 * Shows the health of the service, refreshed every few seconds. If the service is down, the last figures stay, with a
 * notice.
 */
export function HealthScreen() {
  const health = useQuery({
    queryKey: ['admin', 'health'],
    queryFn: ({ signal }) => call('GET /admin/health', { signal }),
    refetchInterval: 5000,
  });
  return (
    <>
      <Refusal error={health.error} retry={health.refetch} />
      {health.isPending && <Loading />}
      {health.data && <Health health={health.data} />}
    </>
  );
}

function Health({ health }: { health: AdminHealth }) {
  const words = useWords(healthWords);
  const language = useLanguage();
  const { node, database } = health;
  return (
    <>
      <Verdict health={health} />
      <Box mb="lg" style={{ columns: '16rem', columnGap: 'var(--mantine-spacing-md)' }}>
        <Figures
          title={words.database}
          rows={[
            [words.latency, `${database.latency_ms.toLocaleString(language)} ms`],
            [words.size, inBytes(database.size_bytes, language)],
            [words.connections, words.connectionsOf(database.connections.total, database.connections.idle)],
            [words.waiting, String(database.connections.waiting)],
          ]}
        />
        <Figures
          title={words.node}
          rows={[
            [words.uptime, lasting(node.uptime_seconds, language)],
            [words.memory, inBytes(node.memory_bytes, language)],
            [words.version, node.node_version],
          ]}
        />
        {Object.entries(health.parts).map(([name, figures]) => (
          <Part key={name} name={name} figures={figures} />
        ))}
      </Box>
      <Queue jobs={health.jobs} />
      <Workers workers={health.workers} />
    </>
  );
}

function Verdict({ health }: { health: AdminHealth }) {
  const words = useWords(healthWords);
  const language = useLanguage();
  const problems = problemsOf(health, words, (seconds) => lasting(seconds, language));
  const isWell = health.status === 'ok' && problems.length === 0;
  return (
    <Alert
      role="status"
      variant="outline"
      color={isWell ? 'green' : 'red'}
      icon={isWell ? <IconCircleCheck size={20} aria-hidden /> : <IconAlertTriangle size={20} aria-hidden />}
      mb="lg"
    >
      <Group justify="space-between" align="flex-start">
        <Box>
          <Title order={2} size="h3">
            {isWell ? words.ok : words.degraded}
          </Title>
          {problems.length > 0 && (
            <List size="sm" mt={6}>
              {problems.map((problem) => (
                <List.Item key={problem}>{problem}</List.Item>
              ))}
            </List>
          )}
        </Box>
        <Text size="xs" c="dimmed">
          {words.checked} <Ago at={health.checked_at} />
        </Text>
      </Group>
    </Alert>
  );
}

function Queue({ jobs }: { jobs: AdminHealth['jobs'] }) {
  const words = useWords(healthWords);
  const language = useLanguage();
  const failed = (count: number) => (
    <Text span size="sm" {...(count > 0 && { c: 'var(--mantine-color-error)', fw: 600 })}>
      {count}
    </Text>
  );
  const columns: Column<Job>[] = [
    { name: words.task, cell: (job) => <Code>{job.task}</Code> },
    { name: words.ready, cell: (job) => job.ready, ta: 'right' },
    { name: words.later, cell: (job) => job.waiting, ta: 'right' },
    { name: words.running, cell: (job) => job.running, ta: 'right' },
    { name: words.failed, cell: (job) => failed(job.failed), ta: 'right' },
    {
      name: words.oldest,
      cell: ({ oldest_ready_seconds: seconds }) => (seconds === null ? '–' : lasting(seconds, language)),
      ta: 'right',
    },
  ];
  return (
    <Section title={words.jobs} {...(jobs.length === 0 && { hint: words.noJobs })}>
      {jobs.length > 0 && (
        <DataTable rows={jobs} columns={columns} keyOf={({ task }) => task} minWidth={560} label={words.jobs} />
      )}
    </Section>
  );
}

function Workers({ workers }: { workers: AdminHealth['workers'] }) {
  const words = useWords(healthWords);
  return (
    <Section title={words.workers} {...(workers.length === 0 && { hint: words.noWorkers })}>
      <Rows>
        {workers.map(({ id, alive, last_seen: seen }) => (
          <Group key={id} px="sm" py={8} justify="space-between">
            <Group gap="xs">
              <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                {id}
              </Text>
              <Badge size="xs" variant={alive ? 'light' : 'default'}>
                {alive ? words.alive : words.gone}
              </Badge>
            </Group>
            <Text size="xs" c="dimmed">
              {words.seen} <Ago at={seen} />
            </Text>
          </Group>
        ))}
      </Rows>
    </Section>
  );
}
