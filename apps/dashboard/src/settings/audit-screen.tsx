import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { AuditTable } from '../audit/audit-table.tsx';
import { Section } from '../kit/page.tsx';
import { PagedList } from '../kit/paged-list.tsx';
import { useWords } from '../words/words.tsx';
import { settingsWords } from './settings.words.ts';

const route = getRouteApi('/inside/settings/audit');

export function AuditScreen() {
  const words = useWords(settingsWords);
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const log = useQuery({
    queryKey: ['audit', page],
    queryFn: ({ signal }) => call('GET /user/audit-log', { query: { page, limit: 30 }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <Section title={words.audit} hint={words.auditHint}>
      <PagedList
        answer={log}
        items={log.data?.data}
        none={{ title: words.auditNone, hint: words.auditNoneHint }}
        page={page}
        pages={log.data?.pagination.total_pages}
        go={(wanted) => void navigate({ search: { page: wanted } })}
      >
        {(entries) => <AuditTable entries={entries} />}
      </PagedList>
    </Section>
  );
}
