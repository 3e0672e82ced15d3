import type { ApiKey, NewApiKey } from '@bottega/contract';
import { Code, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, once } from '../api/client.ts';
import { confirm } from '../kit/confirm.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Section } from '../kit/page.tsx';
import { ListSection } from '../kit/paged-list.tsx';
import { RowButton } from '../kit/row-button.tsx';
import { ShownOnce } from '../kit/shown-once.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';
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
  const [shown, setShown] = useState<NewApiKey | null>(null);
  return (
    <>
      <ListSection words={words} answer={keys}>
        {(items) => <KeyTable keys={items} rotated={setShown} />}
      </ListSection>
      {shown ? (
        <Section title={shown.name}>
          <ShownOnce
            say={words.created}
            lines={[{ label: words.newKey, value: shown.key }]}
            done={words.done}
            close={() => setShown(null)}
          />
        </Section>
      ) : (
        <NewKeyForm created={setShown} />
      )}
    </>
  );
}

function KeyTable({ keys, rotated }: { keys: readonly ApiKey[]; rotated: (key: NewApiKey) => void }) {
  const words = useWords(keysWords);
  const columns: Column<ApiKey>[] = [
    { name: words.name, cell: ({ name }) => <b>{name}</b> },
    { name: words.key, cell: ({ hint }) => <Code>{hint}</Code> },
    { name: words.scopes, cell: ({ scopes }) => <Text size="xs">{scopes.join(' ') || words.everything}</Text> },
    { name: words.used, cell: ({ last_used_at: at }) => (at ? <Ago at={at} /> : words.never) },
    { name: words.ends, cell: ({ expires_at: at }) => (at ? <Ago at={at} /> : words.never) },
    {
      name: '',
      cell: (key) => <KeyActions apiKey={key} rotated={rotated} />,
      ta: 'right',
    },
  ];
  return <DataTable rows={keys} columns={columns} keyOf={({ id }) => id} minWidth={560} />;
}

function KeyActions({ apiKey: { id, name }, rotated }: { apiKey: ApiKey; rotated: (key: NewApiKey) => void }) {
  const words = useWords(keysWords);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: async (what: 'rotate' | 'revoke') => {
      const params = { key_id: id };
      if (what === 'rotate') return rotated(await call('POST /user/api-keys/{key_id}/rotate', { params, ...once() }));
      await call('DELETE /user/api-keys/{key_id}', { params });
      toast(words.revoked(name));
    },
    onError: toastRefusal,
    onSettled: () => client.invalidateQueries({ queryKey: keysKey }),
  });
  const rotate = async () => {
    const question = { title: words.rotateTitle(name), hint: words.rotateHint, yes: words.rotate };
    if (await confirm(question)) change.mutate('rotate');
  };
  const revoke = async () => {
    const question = { title: words.revokeTitle(name), hint: words.revokeHint, yes: words.revoke, isDangerous: true };
    if (await confirm(question)) change.mutate('revoke');
  };
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <RowButton
        label={words.rotate}
        of={name}
        onClick={() => void rotate()}
        loading={change.isPending && change.variables === 'rotate'}
      />
      <RowButton label={words.revoke} of={name} onClick={() => void revoke()} />
    </Group>
  );
}
