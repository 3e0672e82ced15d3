import type { AuthorizedApp } from '@bottega/contract';
import { Code, Group, List as Items, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { confirm } from '../kit/confirm.tsx';
import { ListSection, Rows } from '../kit/paged-list.tsx';
import { RowButton } from '../kit/row-button.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { authorizedWords } from './authorized.words.ts';
import { scopeWords } from './scopes.words.ts';

const authorizedKey = ['authorized-apps'];

export function AuthorizedAppsScreen() {
  const words = useWords(authorizedWords);
  const apps = useQuery({
    queryKey: authorizedKey,
    queryFn: async ({ signal }) => (await call('GET /user/authorized-apps', { signal })).data,
  });
  return (
    <ListSection words={words} answer={apps}>
      {(items) => (
        <Rows>
          {items.map((one) => (
            <Allowed key={one.app.id} allowed={one} />
          ))}
        </Rows>
      )}
    </ListSection>
  );
}

function Allowed({ allowed: { app, scopes, ...times } }: { allowed: AuthorizedApp }) {
  const words = useWords(authorizedWords);
  const meanings = useWords(scopeWords);
  const client = useQueryClient();
  const revoke = async () => {
    const question = { title: words.revokeTitle(app.name), hint: words.revokeHint, yes: words.revoke };
    if (!(await confirm({ ...question, isDangerous: true }))) return;
    try {
      await call('DELETE /user/authorized-apps/{app_id}', { params: { app_id: app.id } });
      toast(words.revoked(app.name));
    } catch (error) {
      toastRefusal(error);
    }
    await client.invalidateQueries({ queryKey: authorizedKey });
  };
  return (
    <Stack px="sm" py={12} gap={6}>
      <Group justify="space-between" align="flex-start" gap="xs">
        <Stack gap={0}>
          <Text size="sm" fw={600}>
            {app.name}
          </Text>
          <Text size="xs" c="dimmed">
            {words.since} <Ago at={times.authorized_at} />
            {', '}
            {times.last_used_at ? (
              <>
                {words.used} <Ago at={times.last_used_at} />
              </>
            ) : (
              words.neverUsed
            )}
          </Text>
        </Stack>
        <RowButton label={words.revoke} of={app.name} onClick={() => void revoke()} />
      </Group>
      <Items size="sm" spacing={2} aria-label={words.may} withPadding>
        {scopes.map((scope) => (
          <Items.Item key={scope}>
            {meanings[scope]} <Code>{scope}</Code>
          </Items.Item>
        ))}
      </Items>
    </Stack>
  );
}
