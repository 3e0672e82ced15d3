import type { ApiKey } from '@bottega/contract';
import { Code, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { confirm } from '../kit/confirm.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { ListSection } from '../kit/paged-list.tsx';
import { toast, toastRefusal } from '../kit/refusal.tsx';
import { RowButton } from '../kit/row-button.tsx';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { keysWords } from './keys.words.ts';
import { keysKey, NewKeyForm } from './new-key-form.tsx';

export function KeysScreen() {
  const words = useWords(keysWords);
  const keys = useQuery({
    queryKey: keysKey,
    queryFn: async ({ signal }) => (await call('GET /user/api-keys', { signal })).data,
  });
  return (
    <>
      <ListSection words={words} answer={keys}>
        {(items) => <KeyTable keys={items} />}
      </ListSection>
      <NewKeyForm />
    </>
  );
}

function KeyTable({ keys }: { keys: readonly ApiKey[] }) {
  const words = useWords(keysWords);
  const client = useQueryClient();
  const revoke = async ({ id, name }: ApiKey) => {
    const question = { title: words.revokeTitle(name), hint: words.revokeHint, yes: words.revoke, isDangerous: true };
    if (!(await confirm(question))) return;
    try {
      await call('DELETE /user/api-keys/{key_id}', { params: { key_id: id } });
      toast(words.revoked(name));
    } catch (error) {
      toastRefusal(error);
    }
    await client.invalidateQueries({ queryKey: keysKey });
  };
  const columns: Column<ApiKey>[] = [
    { name: words.name, cell: ({ name }) => <b>{name}</b> },
    { name: words.key, cell: ({ hint }) => <Code>{hint}</Code> },
    { name: words.scopes, cell: ({ scopes }) => <Text size="xs">{scopes.join(' ') || words.everything}</Text> },
    { name: words.used, cell: ({ last_used_at: at }) => (at ? <Ago at={at} /> : words.never) },
    { name: words.ends, cell: ({ expires_at: at }) => (at ? <Ago at={at} /> : words.never) },
    {
      name: '',
      cell: (key) => <RowButton label={words.revoke} of={key.name} onClick={() => void revoke(key)} />,
      ta: 'right',
    },
  ];
  return <DataTable rows={keys} columns={columns} keyOf={({ id }) => id} minWidth={560} />;
}
