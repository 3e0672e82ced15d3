import type { Domain, DomainRecord } from '@bottega/contract';
import { Code, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { CopyLine } from '../kit/copy-line.tsx';
import { StatusIcon } from '../kit/status-icon.tsx';
import { useWords } from '../words/words.tsx';
import { domainsWords } from './domains.words.ts';

/** The DNS records to set for the domain, and which of them were found. */
export function DomainRecords({ domain: { domain, records } }: { domain: Domain }) {
  const words = useWords(domainsWords);
  const alias = records.filter(({ type }) => type === 'CNAME');
  const others = records.filter(({ type }) => type !== 'CNAME');
  return (
    <Stack gap="sm">
      {alias.length > 0 && <Way title={words.either} records={alias} domain={domain} />}
      <Way title={alias.length > 0 ? words.or : words.these} records={others} domain={domain} />
    </Stack>
  );
}

function Way({ title, records, domain }: { title: string; records: DomainRecord[]; domain: string }) {
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {title}
      </Text>
      {records.map((record) => (
        <RecordLines key={`${record.type} ${record.value}`} record={record} domain={domain} />
      ))}
    </Stack>
  );
}

function RecordLines({ record: { type, name, value, is_set }, domain }: { record: DomainRecord; domain: string }) {
  const words = useWords(domainsWords);
  return (
    <div>
      <Group gap={6} mb={2}>
        <Code>{type}</Code>
        <StatusIcon status={is_set ? 'success' : 'pending'} size={14} />
        <Text size="xs" c="dimmed">
          {is_set ? words.isSet : words.notSet}
        </Text>
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" verticalSpacing={4}>
        <CopyLine label={words.ofRecord(words.recordName, type, domain)} value={name} />
        <CopyLine label={words.ofRecord(words.value, type, domain)} value={value} />
      </SimpleGrid>
    </div>
  );
}
