import { call } from '../api/client.ts';
import { UsageHistory } from '../kit/usage-history.tsx';

/** The usage of all accounts together. */
export function InstallationUsageScreen() {
  return <UsageHistory queryKey={['admin', 'usage']} read={(request) => call('GET /admin/usage/history', request)} />;
}
