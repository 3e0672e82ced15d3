import type { OauthApp } from '@bottega/contract';
import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ApiError, call, once } from '../api/client.ts';
import { confirm } from '../kit/confirm.tsx';
import { CopyLine } from '../kit/copy-line.tsx';
import { DetailPage } from '../kit/detail-page.tsx';
import { FormSection, Submit } from '../kit/form.tsx';
import { BackLink } from '../kit/links.tsx';
import { Section } from '../kit/page.tsx';
import { Rows } from '../kit/paged-list.tsx';
import { ShownOnce } from '../kit/shown-once.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { appsWords } from './apps.words.ts';
import { oauthAppQuery, oauthAppsQuery } from './oauth-apps-query.ts';
import { RedirectAddresses, uris, urisError } from './redirect-addresses.tsx';

const route = getRouteApi('/inside/settings/apps/$appId');

export function OauthAppScreen() {
  const words = useWords(appsWords);
  const { appId } = route.useParams();
  const answer = useQuery(oauthAppQuery(appId));
  return (
    <DetailPage back={<BackLink to="/settings/apps">{words.back}</BackLink>} answer={answer}>
      {(app) => (
        <div>
          <EditApp key={app.id} app={app} />
          <Secrets app={app} />
          <Section title={words.addresses}>
            <Stack gap="xs" maw={560}>
              <CopyLine label={words.authorize} value={`${window.location.origin}/oauth/authorize`} isNamed />
              <CopyLine label={words.token} value={`${window.location.origin}/oauth/token`} isNamed />
            </Stack>
          </Section>
          <DeleteApp app={app} />
        </div>
      )}
    </DetailPage>
  );
}

function EditApp({ app }: { app: OauthApp }) {
  const words = useWords(appsWords);
  const client = useQueryClient();
  const form = useForm({ initialValues: { name: app.name, redirects: app.redirect_uris.join('\n') } });
  const save = useMutation({
    mutationFn: ({ name, redirects }: typeof form.values) =>
      call('PATCH /user/oauth-apps/{app_id}', {
        params: { app_id: app.id },
        body: { name, redirect_uris: uris(redirects) },
      }),
    onSuccess: (changed) => {
      client.setQueryData(oauthAppQuery(app.id).queryKey, changed);
      const values = { name: changed.name, redirects: changed.redirect_uris.join('\n') };
      form.setValues(values);
      form.resetDirty(values);
      toast(words.saved);
      return client.invalidateQueries({ ...oauthAppsQuery, exact: true });
    },
    onError: (error) =>
      error instanceof ApiError && form.setErrors({ ...error.fields, redirects: urisError(error.fields) }),
  });
  return (
    <FormSection
      title={app.name}
      hint={`${words[app.type]}. ${words[`${app.type}Hint`]}`}
      maw={560}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
    >
      <CopyLine label={words.clientId} value={app.client_id} isNamed />
      <TextInput label={words.name} required maxLength={100} {...form.getInputProps('name')} />
      <RedirectAddresses {...form.getInputProps('redirects')} />
      <Submit sending={save} disabled={!form.isDirty()}>
        {words.save}
      </Submit>
    </FormSection>
  );
}

function Secrets({ app }: { app: OauthApp }) {
  const words = useWords(appsWords);
  const client = useQueryClient();
  const rotate = useMutation({
    mutationFn: () => call('POST /user/oauth-apps/{app_id}/rotate', { params: { app_id: app.id }, ...once() }),
    onSuccess: () => client.invalidateQueries({ queryKey: oauthAppsQuery.queryKey }),
    onError: toastRefusal,
  });
  const begin = async () => {
    if (await confirm({ title: words.rotate, hint: words.rotateHint, yes: words.rotate })) rotate.mutate();
  };
  if (app.type === 'public') {
    return (
      <Section title={words.secret}>
        <Text size="sm">{words.publicNoSecret}</Text>
      </Section>
    );
  }
  return (
    <Section title={words.secrets} hint={words.rotateHint}>
      <Stack maw={560} align="flex-start">
        <Rows>
          {app.secrets.map((secret) => (
            <Group key={`${secret.hint}${secret.created_at}`} px="sm" py={8} justify="space-between">
              <Code>{secret.hint}</Code>
              <Text size="xs" c="dimmed">
                {words.made} <Ago at={secret.created_at} />
                {secret.expires_at && (
                  <>
                    , {words.ends} <Ago at={secret.expires_at} />
                  </>
                )}
              </Text>
            </Group>
          ))}
        </Rows>
        {rotate.data?.client_secret ? (
          <ShownOnce
            say={words.rotated}
            lines={[{ label: words.secret, value: rotate.data.client_secret }]}
            done={words.done}
            close={rotate.reset}
          />
        ) : (
          <Button variant="default" onClick={() => void begin()} loading={rotate.isPending}>
            {words.rotate}
          </Button>
        )}
      </Stack>
    </Section>
  );
}

function DeleteApp({ app }: { app: OauthApp }) {
  const words = useWords(appsWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = async () => {
    const question = { title: words.deleteTitle(app.name), hint: words.deleteHint, yes: words.delete };
    if (!(await confirm({ ...question, isDangerous: true }))) return;
    try {
      await call('DELETE /user/oauth-apps/{app_id}', { params: { app_id: app.id } });
    } catch (error) {
      return toastRefusal(error);
    }
    toast(words.deleted(app.name));
    await navigate({ to: '/settings/apps' });
    client.removeQueries({ queryKey: oauthAppQuery(app.id).queryKey });
    await client.invalidateQueries({ queryKey: oauthAppsQuery.queryKey });
  };
  return (
    <Section title={words.delete} hint={words.deleteHint}>
      <Button color="red.8" onClick={() => void remove()}>
        {words.delete}
      </Button>
    </Section>
  );
}
