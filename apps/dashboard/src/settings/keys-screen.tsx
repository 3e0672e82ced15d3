import type { ApiKey } from '@bottega/contract';
import { Button, Code, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type List } from '../api/client.ts';
import { confirm } from '../kit/confirm.tsx';
import { Loading } from '../kit/loading.tsx';
import { Empty, Section } from '../kit/page.tsx';
import { Refusal, toast, toastRefusal } from '../kit/refusal.tsx';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { keysWords } from './keys.words.ts';
import { keysKey, NewKeyForm } from './new-key-form.tsx';

export function KeysScreen() {
  const words = useWords(keysWords);
  const keys = useQuery({
    queryKey: keysKey,
    queryFn: ({ signal }) => api.get<List<ApiKey>>('/user/api-keys', { signal }),
  });
  return (
    <>
      <Section title={words.title} hint={words.hint}>
        <Refusal error={keys.error} retry={keys.refetch} />
        {keys.isPending && <Loading lines={3} />}
        {keys.data?.data.length === 0 && <Empty title={words.none} hint={words.noneHint} />}
        {keys.data && keys.data.data.length > 0 && <KeyTable keys={keys.data.data} />}
      </Section>
      <NewKeyForm />
    </>
  );
}

function KeyTable({ keys }: { keys: ApiKey[] }) {
  const words = useWords(keysWords);
  const client = useQueryClient();
  const revoke = async ({ id, name }: ApiKey) => {
    const question = { title: words.revokeTitle(name), hint: words.revokeHint, yes: words.revoke, isDangerous: true };
    if (!(await confirm(question))) return;
    try {
      await api.delete(`/user/api-keys/${id}`);
      toast(words.revoked(name));
    } catch (error) {
      toastRefusal(error);
    }
    await client.invalidateQueries({ queryKey: keysKey });
  };
  return (
    <Table.ScrollContainer minWidth={560} className="surface">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.name}</Table.Th>
            <Table.Th>{words.key}</Table.Th>
            <Table.Th>{words.scopes}</Table.Th>
            <Table.Th>{words.used}</Table.Th>
            <Table.Th>{words.ends}</Table.Th>
            <Table.Th />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <Table.Tr key={key.id}>
              <Table.Td>
                <Text size="sm" fw={600}>
                  {key.name}
                </Text>
              </Table.Td>
              <Table.Td>
                <Code>{key.hint}…</Code>
              </Table.Td>
              <Table.Td>
                <Text size="xs">{key.scopes.length === 0 ? words.everything : key.scopes.join(' ')}</Text>
              </Table.Td>
              <Table.Td>{key.last_used_at ? <Ago at={key.last_used_at} /> : words.never}</Table.Td>
              <Table.Td>{key.expires_at ? <Ago at={key.expires_at} /> : words.never}</Table.Td>
              <Table.Td ta="right">
                <Button
                  size="compact-xs"
                  variant="default"
                  onClick={() => void revoke(key)}
                  aria-label={`${words.revoke}: ${key.name}`}
                >
                  {words.revoke}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
