import type { AuditEntry } from '@bottega/contract';
import { Code, Table, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, type Page } from '../api/client.ts';
import { Loading } from '../shell/loading.tsx';
import { Empty, Section } from '../shell/page.tsx';
import { Pager } from '../shell/pager.tsx';
import { Refusal } from '../shell/refusal.tsx';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { settingsWords } from './settings.words.ts';

const route = getRouteApi('/inside/settings/audit');

export function AuditScreen() {
  const words = useWords(settingsWords);
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const log = useQuery({
    queryKey: ['audit', page],
    queryFn: ({ signal }) => api.get<Page<AuditEntry>>('/user/audit-log', { query: { page, limit: 30 }, signal }),
    placeholderData: keepPreviousData,
  });
  if (log.error) return <Refusal error={log.error} retry={log.refetch} />;
  if (!log.data) return <Loading />;
  return (
    <Section title={words.audit} hint={words.auditHint}>
      {log.data.data.length === 0 ? (
        <Empty title={words.auditNone} hint={words.auditNoneHint} />
      ) : (
        <Table.ScrollContainer minWidth={480} className="surface">
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{words.when}</Table.Th>
                <Table.Th>{words.what}</Table.Th>
                <Table.Th>{words.where}</Table.Th>
                <Table.Th>{words.by}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {log.data.data.map((entry) => (
                <Table.Tr key={entry.id}>
                  <Table.Td style={{ whiteSpace: 'nowrap' }}>
                    <Ago at={entry.created_at} />
                  </Table.Td>
                  <Table.Td>
                    <Code>{entry.action}</Code>
                    {entry.subject_id && (
                      <Text size="xs" c="dimmed">
                        {entry.subject_id}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td>{entry.address}</Table.Td>
                  <Table.Td>
                    <Text size="xs">{entry.credential?.kind}</Text>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <Pager
        page={page}
        pages={log.data.pagination.total_pages}
        go={(wanted) => void navigate({ search: { page: wanted } })}
      />
    </Section>
  );
}
