import type { AdminHealth } from '@bottega/contract';
import { Alert, Badge, Box, Group, List, SimpleGrid, Table, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { Loading } from '../kit/loading.tsx';
import { Section } from '../kit/page.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { inBytes, lasting } from '../words/amounts.ts';
import { Ago } from '../words/time.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { healthWords } from './health.words.ts';
import { Figures, Part } from './health-figures.tsx';
import { problemsOf } from './health-problems.ts';

/** Looked at again every few seconds; a service that is away leaves the last figures and says so. */
export function HealthScreen() {
  const health = useQuery({
    queryKey: ['admin', 'health'],
    queryFn: ({ signal }) => api.get<AdminHealth>('/admin/health', { signal }),
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
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} mb="xl">
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
        {Object.entries(health.parts).map(([name, told]) => (
          <Part key={name} name={name} told={told} />
        ))}
      </SimpleGrid>
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
  if (jobs.length === 0) {
    return (
      <Section title={words.jobs}>
        <Text size="sm" c="dimmed">
          {words.noJobs}
        </Text>
      </Section>
    );
  }
  return (
    <Section title={words.jobs}>
      <Table.ScrollContainer minWidth={560} className="surface" role="region" aria-label={words.jobs} tabIndex={0}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.task}</Table.Th>
              {[words.ready, words.later, words.running, words.failed, words.oldest].map((label) => (
                <Table.Th key={label} ta="right">
                  {label}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {jobs.map((job) => (
              <Table.Tr key={job.task}>
                <Table.Td ff="monospace">{job.task}</Table.Td>
                <Table.Td ta="right">{job.ready}</Table.Td>
                <Table.Td ta="right">{job.waiting}</Table.Td>
                <Table.Td ta="right">{job.running}</Table.Td>
                <Table.Td ta="right" {...(job.failed > 0 && { c: 'var(--mantine-color-error)', fw: 600 })}>
                  {job.failed}
                </Table.Td>
                <Table.Td ta="right">
                  {job.oldest_ready_seconds === null ? '–' : lasting(job.oldest_ready_seconds, language)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Section>
  );
}

function Workers({ workers }: { workers: AdminHealth['workers'] }) {
  const words = useWords(healthWords);
  if (workers.length === 0) {
    return (
      <Section title={words.workers}>
        <Text size="sm" c="dimmed">
          {words.noWorkers}
        </Text>
      </Section>
    );
  }
  return (
    <Section title={words.workers}>
      <Box className="surface rows">
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
      </Box>
    </Section>
  );
}
