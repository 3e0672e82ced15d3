import type { Usage } from '@bottega/contract';
import { Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { Loading } from '../kit/loading.tsx';
import { Section } from '../kit/page.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { UsageHistory } from '../kit/usage-history.tsx';
import { inBytes } from '../words/amounts.ts';
import { Ago } from '../words/time.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { settingsWords } from './settings.words.ts';

export function UsageScreen() {
  const usage = useQuery({
    queryKey: ['usage'],
    queryFn: ({ signal }) => call('GET /user/usage', { signal }),
    refetchInterval: 30_000,
  });
  return (
    <>
      {usage.error ? <Refusal error={usage.error} retry={usage.refetch} /> : !usage.data && <Loading />}
      {usage.data && <Now usage={usage.data} />}
      <UsageHistory queryKey={['usage', 'history']} read={(request) => call('GET /user/usage/history', request)} />
    </>
  );
}

function Now({ usage }: { usage: Usage }) {
  const words = useWords(settingsWords);
  const language = useLanguage();
  const { plan, requests, projects, stored_bytes: stored, workspace_seconds: workspaces } = usage;
  const count = (value: number) => value.toLocaleString(language);
  return (
    <Section title={words.plan(plan)}>
      <Stack maw={560} gap="lg">
        <Meter label={words.requests} used={requests.used} limit={requests.limit} show={count} />
        <Text size="xs" c="dimmed" mt={-12}>
          {words.resets} <Ago at={requests.reset_at} />
        </Text>
        <Meter label={words.projects} used={projects.used} limit={projects.limit} show={count} />
        <Meter
          label={words.storage}
          used={stored.used}
          limit={stored.limit}
          show={(value) => inBytes(value, language)}
        />
        <Meter
          label={words.workspaceHours}
          used={workspaces.used}
          limit={workspaces.limit}
          show={(seconds) => (seconds / 3600).toLocaleString(language, { maximumFractionDigits: 1 })}
        />
      </Stack>
    </Section>
  );
}

type MeterProps = { label: string; used: number; limit: number | null; show: (value: number) => string };

function Meter({ label, used, limit, show }: MeterProps) {
  const words = useWords(settingsWords);
  const share = limit === null || limit === 0 ? 0 : Math.min(100, (used / limit) * 100);
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <Text size="sm">{words.of(show(used), limit === null ? words.unlimited : show(limit))}</Text>
      </Group>
      <Progress value={share} aria-label={label} {...(share >= 90 && { color: 'red.7' })} />
    </Stack>
  );
}
