import { type AuditAction, type AuditEntry, auditActions } from '@bottega/contract';
import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, type Page } from '../api/client.ts';
import { meaningWords } from '../audit/audit.words.ts';
import { AuditTable } from '../audit/audit-table.tsx';
import { Loading } from '../kit/loading.tsx';
import { Empty } from '../kit/page.tsx';
import { Pager } from '../kit/pager.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { SearchField } from '../kit/search-field.tsx';
import { useWords } from '../words/words.tsx';
import type { AuditSearch } from './admin-search.ts';
import { everybodyWords } from './everybody.words.ts';

const route = getRouteApi('/inside/admin/audit');

/** The audit log of all accounts. */
export function EverybodyScreen() {
  const words = useWords(everybodyWords);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { action, account, page = 1 } = search;
  const change = (wanted: AuditSearch) => void navigate({ search: (now) => ({ ...now, page: undefined, ...wanted }) });
  const log = useQuery({
    queryKey: ['admin', 'audit', { action, account, page }],
    queryFn: ({ signal }) =>
      api.get<Page<AuditEntry>>('/admin/audit-log', {
        query: { action, account_id: account, page, limit: 30 },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  const { data } = log;
  return (
    <>
      <Filters search={search} change={change} />
      <Refusal error={log.error} retry={log.refetch} />
      {log.isPending && <Loading />}
      {data?.data.length === 0 && (
        <Empty title={words.none} hint={words.noneHint}>
          <Button variant="default" onClick={() => change({ action: undefined, account: undefined })}>
            {words.clear}
          </Button>
        </Empty>
      )}
      {data && data.data.length > 0 && (
        <>
          <Text size="sm" c="dimmed" mb={6} role="status">
            {words.count(data.pagination.total)}
          </Text>
          <AuditTable entries={data.data} accounts />
        </>
      )}
      {data && <Pager page={page} pages={data.pagination.total_pages} go={(wanted) => change({ page: wanted })} />}
    </>
  );
}

function Filters({ search, change }: { search: AuditSearch; change: (wanted: AuditSearch) => void }) {
  const words = useWords(everybodyWords);
  const meanings = useWords(meaningWords);
  return (
    <Group gap="xs" mb="md">
      <SearchField label={words.account} value={search.account} seek={(account) => change({ account })} />
      <NativeSelect
        aria-label={words.action}
        value={search.action ?? ''}
        onChange={(event) => change({ action: (event.currentTarget.value || undefined) as AuditAction | undefined })}
        data={[
          { value: '', label: words.anything },
          ...Object.keys(auditActions).map((value) => ({ value, label: meanings[value as AuditAction] })),
        ]}
        maw={320}
      />
    </Group>
  );
}
