import { Group } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { meaningWords } from '../audit/audit.words.ts';
import { AuditTable } from '../audit/audit-table.tsx';
import { FilterSelect } from '../kit/filters.tsx';
import { PagedList } from '../kit/paged-list.tsx';
import { SearchField } from '../kit/search-field.tsx';
import { useWords } from '../words/words.tsx';
import type { AuditSearch } from './admin-search.ts';
import { everybodyWords } from './everybody.words.ts';

const route = getRouteApi('/inside/admin/audit');

/** The audit log of all accounts. */
export function EverybodyScreen() {
  const words = useWords(everybodyWords);
  const meanings = useWords(meaningWords);
  const { action, account, page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const change = (wanted: AuditSearch) => void navigate({ search: (now) => ({ ...now, page: undefined, ...wanted }) });
  const log = useQuery({
    queryKey: ['admin', 'audit', { action, account, page }],
    queryFn: ({ signal }) =>
      call('GET /admin/audit-log', { query: { action, account_id: account, page, limit: 30 }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Group gap="xs" mb="md">
        <SearchField label={words.account} value={account} seek={(wanted) => change({ account: wanted })} />
        <FilterSelect
          label={words.action}
          any={words.anything}
          value={action}
          options={meanings}
          change={(wanted) => change({ action: wanted })}
          maw={320}
        />
      </Group>
      <PagedList
        answer={log}
        items={log.data?.data}
        none={{ title: words.none, hint: words.noneHint }}
        clear={(action ?? account) !== undefined && (() => change({ action: undefined, account: undefined }))}
        count={log.data && words.count(log.data.pagination.total)}
        page={page}
        pages={log.data?.pagination.total_pages}
        go={(wanted) => change({ page: wanted })}
      >
        {(entries) => <AuditTable entries={entries} accounts />}
      </PagedList>
    </>
  );
}
