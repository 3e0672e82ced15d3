import type { OauthApp } from '@bottega/contract';
import { Badge, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError, call, once } from '../api/client.ts';
import { FormSection, Submit } from '../kit/form.tsx';
import { Section } from '../kit/page.tsx';
import { ListSection, Rows } from '../kit/paged-list.tsx';
import { ShownOnce } from '../kit/shown-once.tsx';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { appsWords } from './apps.words.ts';
import { oauthAppsQuery } from './oauth-apps-query.ts';
import { RedirectAddresses, uris, urisError } from './redirect-addresses.tsx';

export function OauthAppsScreen() {
  const words = useWords(appsWords);
  const apps = useQuery(oauthAppsQuery);
  return (
    <>
      <ListSection words={words} answer={apps}>
        {(items) => (
          <Rows>
            {items.map((app) => (
              <AppRow key={app.id} app={app} />
            ))}
          </Rows>
        )}
      </ListSection>
      <NewApp />
    </>
  );
}

function AppRow({ app }: { app: OauthApp }) {
  const words = useWords(appsWords);
  return (
    <Group px="sm" py={10} justify="space-between" gap="xs">
      <Stack gap={0} style={{ minWidth: 0 }}>
        <Group gap="xs">
          <Link to="/settings/apps/$appId" params={{ appId: app.id }} className="plain">
            <Text size="sm" fw={600}>
              {app.name}
            </Text>
          </Link>
          <Badge size="xs" variant="default">
            {words[app.type]}
          </Badge>
        </Group>
        <Text size="xs" c="dimmed" truncate>
          {app.redirect_uris.join(', ')}
        </Text>
      </Stack>
      <Text size="xs" c="dimmed">
        {words.made} <Ago at={app.created_at} />
      </Text>
    </Group>
  );
}

type NewValues = { name: string; type: OauthApp['type']; redirects: string };

function NewApp() {
  const words = useWords(appsWords);
  const client = useQueryClient();
  const [sendOnce, setSendOnce] = useState(once);
  const form = useForm<NewValues>({ initialValues: { name: '', type: 'confidential', redirects: '' } });
  const create = useMutation({
    mutationFn: ({ name, type, redirects }: typeof form.values) =>
      call('POST /user/oauth-apps', { body: { name, type, redirect_uris: uris(redirects) }, ...sendOnce }),
    onSuccess: async () => {
      form.reset();
      setSendOnce(once);
      await client.invalidateQueries({ queryKey: oauthAppsQuery.queryKey });
    },
    onError: (error) =>
      error instanceof ApiError && form.setErrors({ ...error.fields, redirects: urisError(error.fields) }),
  });
  if (create.data) {
    const { client_id: clientId, client_secret: secret } = create.data;
    return (
      <Section title={words.new}>
        <ShownOnce
          say={secret === null ? words.createdPublic : words.created}
          lines={[
            { label: words.clientId, value: clientId },
            ...(secret === null ? [] : [{ label: words.secret, value: secret }]),
          ]}
          done={words.done}
          close={create.reset}
        />
      </Section>
    );
  }
  return (
    <FormSection title={words.new} maw={560} onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <TextInput
        label={words.name}
        description={words.nameHint}
        required
        maxLength={100}
        {...form.getInputProps('name')}
      />
      <RedirectAddresses {...form.getInputProps('redirects')} />
      <Radio.Group label={words.type} {...form.getInputProps('type')}>
        <Stack gap="xs" mt={4}>
          <Radio value="confidential" label={words.confidential} description={words.confidentialHint} />
          <Radio value="public" label={words.public} description={words.publicHint} />
        </Stack>
      </Radio.Group>
      <Submit sending={create}>{words.create}</Submit>
    </FormSection>
  );
}
