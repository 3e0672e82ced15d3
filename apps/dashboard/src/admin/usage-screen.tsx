import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { UsageCharts } from '../kit/usage-charts.tsx';

const route = getRouteApi('/inside/admin/usage');

/** The usage of all accounts together. */
export function InstallationUsageScreen() {
  const { days = 30 } = route.useSearch();
  const navigate = route.useNavigate();
  const history = useQuery({
    queryKey: ['admin', 'usage', days],
    queryFn: async ({ signal }) => (await call('GET /admin/usage/history', { query: { days }, signal })).data,
    placeholderData: keepPreviousData,
  });
  return (
    <UsageCharts
      answer={history}
      period={days}
      choose={(period) => void navigate({ search: { days: period === 30 ? undefined : period } })}
    />
  );
}
