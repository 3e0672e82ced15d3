import type { AuditEntry } from '@bottega/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, type Page } from '../api/client.ts';
import { AuditTable } from '../audit/audit-table.tsx';
import { Loading } from '../kit/loading.tsx';
import { Empty, Section } from '../kit/page.tsx';
import { Pager } from '../kit/pager.tsx';
import { Refusal } from '../kit/refusal.tsx';
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
        <AuditTable entries={log.data.data} />
      )}
      <Pager
        page={page}
        pages={log.data.pagination.total_pages}
        go={(wanted) => void navigate({ search: { page: wanted } })}
      />
    </Section>
  );
}
