import type { ServiceAccount } from '@bottega/contract';
import { Code, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { confirm } from '../kit/confirm.tsx';
import { ListSection, Rows } from '../kit/paged-list.tsx';
import { RowButton } from '../kit/row-button.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';
import { useWords } from '../words/words.tsx';
import { NewServiceAccountForm, serviceAccountsKey } from './new-service-account-form.tsx';
import { serviceAccountsWords } from './service-accounts.words.ts';

export function ServiceAccountsSection() {
  const words = useWords(serviceAccountsWords);
  const accounts = useQuery({
    queryKey: serviceAccountsKey,
    queryFn: async ({ signal }) => (await call('GET /user/service-accounts', { signal })).data,
  });
  return (
    <>
      <ListSection words={words} answer={accounts}>
        {(items) => (
          <Rows>
            {items.map((account) => (
              <AccountRow key={account.id} account={account} />
            ))}
          </Rows>
        )}
      </ListSection>
      <NewServiceAccountForm />
    </>
  );
}

function AccountRow({ account: { id, name, scopes, projects } }: { account: ServiceAccount }) {
  const words = useWords(serviceAccountsWords);
  const client = useQueryClient();
  const removing = useMutation({
    mutationFn: () => call('DELETE /user/service-accounts/{account_id}', { params: { account_id: id } }),
    onSuccess: () => toast(words.removed(name)),
    onError: toastRefusal,
    onSettled: () => client.invalidateQueries({ queryKey: serviceAccountsKey }),
  });
  const remove = async () => {
    const question = { title: words.removeTitle(name), hint: words.removeHint, yes: words.remove, isDangerous: true };
    if (await confirm(question)) removing.mutate();
  };
  return (
    <Group px="sm" py={10} justify="space-between" gap="xs">
      <Stack gap={2} style={{ minWidth: 0 }}>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" component="div">
          <Code>{id}</Code> {words.countProjects(projects.length)}, {scopes.join(' ') || words.allScopes}
        </Text>
      </Stack>
      <RowButton label={words.remove} of={name} onClick={() => void remove()} />
    </Group>
  );
}
