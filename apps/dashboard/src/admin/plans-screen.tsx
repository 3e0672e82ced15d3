import type { AdminPlan } from '@bottega/contract';
import { Box, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { AnchorLink } from '../kit/links.tsx';
import { Loading } from '../kit/loading.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { inBytes, lasting } from '../words/amounts.ts';
import { useLanguage, useWords } from '../words/words.tsx';
import { adminWords } from './admin.words.ts';

/** One column for each plan, so that a limit can be compared along its row. */
export function PlansScreen() {
  const words = useWords(adminWords);
  const language = useLanguage();
  const plans = useQuery({
    queryKey: ['admin', 'plans'],
    queryFn: async ({ signal }) => (await call('GET /admin/plans', { signal })).data,
  });
  if (plans.error) return <Refusal error={plans.error} retry={plans.refetch} />;
  if (!plans.data) return <Loading />;
  const count = (value: number | null) => (value === null ? words.unlimited : value.toLocaleString(language));
  const rows: [string, (plan: AdminPlan) => string][] = [
    [words.requests, ({ requests }) => words.perWindow(count(requests.limit), lasting(requests.window, language))],
    [words.burst, ({ requests: { burst } }) => words.perWindow(count(burst.limit), lasting(burst.window, language))],
    [words.projects, ({ projects }) => count(projects)],
    [words.storage, ({ stored_bytes: bytes }) => (bytes === null ? words.unlimited : inBytes(bytes, language))],
    [words.files, ({ files }) => count(files)],
    [words.builds, ({ builds }) => count(builds)],
    [words.apps, ({ apps }) => count(apps)],
    [words.domains, ({ domains }) => count(domains)],
  ];
  return (
    <>
      <Box className="surface scrolls-sideways">
        <Table miw={520}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.plan}</Table.Th>
              {plans.data.map(({ plan }) => (
                <Table.Th key={plan}>{plan}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <Table.Tr>
              <Table.Th scope="row">{words.accounts}</Table.Th>
              {plans.data.map(({ plan, accounts }) => (
                <Table.Td key={plan}>
                  <AnchorLink
                    to="/admin/users"
                    search={{ plan }}
                    size="sm"
                    aria-label={words.showAccounts(count(accounts), plan)}
                  >
                    {count(accounts)}
                  </AnchorLink>
                </Table.Td>
              ))}
            </Table.Tr>
            {rows.map(([label, show]) => (
              <Table.Tr key={label}>
                <Table.Th scope="row">{label}</Table.Th>
                {plans.data.map((plan) => (
                  <Table.Td key={plan.plan}>{show(plan)}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
      <Text size="sm" c="dimmed" mt="sm">
        {words.plansHint}
      </Text>
    </>
  );
}
