import type { RotatedSecret, Webhook } from '@bottega/contract';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call, once } from '../api/client.ts';
import { confirm } from '../kit/confirm.tsx';
import { CopyLine } from '../kit/copy-line.tsx';
import { Section } from '../kit/page.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';
import { exactly } from '../words/time.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { type FormValues, formOf, updateOf } from './form-values.ts';
import { SecretLine } from './secret-line.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { webhooksWords } from './webhooks.words.ts';
import { webhookQuery, webhooksKey } from './webhooks-query.ts';

const route = getRouteApi('/inside/webhooks/$webhookId/settings');

export function WebhookSettingsScreen() {
  const words = useWords(webhooksWords);
  const client = useQueryClient();
  const { webhookId } = route.useParams();
  const { data: webhook } = useSuspenseQuery(webhookQuery(webhookId));
  const save = async (values: FormValues) => {
    const body = updateOf(values, webhook.retry_policy);
    await call('PUT /webhooks/{webhook_id}', { params: { webhook_id: webhookId }, body });
    await client.invalidateQueries({ queryKey: webhooksKey });
    toast(words.saved);
  };
  return (
    <>
      <Section title={words.settings}>
        {/* Shows the saved values. Turning the webhook on or off does not affect unsaved input. */}
        <WebhookForm key={keyOf(webhook)} initial={formOf(webhook)} isNew={false} send={save} />
      </Section>
      <SecretSection webhook={webhook} />
      <DeleteSection webhook={webhook} />
    </>
  );
}

const keyOf = ({ name, url, description, events, headers, timeout, retry_policy, ordered, filters }: Webhook): string =>
  JSON.stringify([name, url, description, events, headers, timeout, retry_policy, ordered, filters]);

function SecretSection({ webhook }: { webhook: Webhook }) {
  const words = useWords(webhooksWords);
  const language = useLanguage();
  const client = useQueryClient();
  const [rotated, setRotated] = useState<RotatedSecret | null>(null);
  const rotate = useMutation({
    mutationFn: () =>
      call('POST /webhooks/{webhook_id}/rotate-secret', { params: { webhook_id: webhook.webhook_id }, ...once() }),
    onSuccess: setRotated,
    onError: toastRefusal,
    onSettled: () => client.invalidateQueries({ queryKey: webhookQuery(webhook.webhook_id).queryKey }),
  });
  const ask = async () => {
    if (await confirm({ title: words.rotateTitle, hint: words.rotateHint, yes: words.rotate })) rotate.mutate();
  };
  const former = webhook.previous_secret_until;
  const rotateButton = (
    <Button variant="default" loading={rotate.isPending} onClick={() => void ask()}>
      {words.rotate}
    </Button>
  );
  return (
    <Section title={words.secret} hint={words.secretHint}>
      <Stack maw={640} gap="sm">
        {rotated ? (
          <Alert color="green" variant="outline" role="status">
            <Stack gap="xs">
              <Text size="sm">
                {words.secretRotated}{' '}
                {rotated.previous_secret_until && exactly(rotated.previous_secret_until, language)}
              </Text>
              <CopyLine label={words.secret} value={rotated.secret} />
            </Stack>
          </Alert>
        ) : (
          <SecretLine secret={webhook.secret ?? ''}>{rotateButton}</SecretLine>
        )}
        {!rotated && former && Date.parse(former) > Date.now() && (
          <Text size="sm" c="dimmed">
            {words.formerUntil} {exactly(former, language)}
          </Text>
        )}
      </Stack>
    </Section>
  );
}

function DeleteSection({ webhook }: { webhook: Webhook }) {
  const words = useWords(webhooksWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { name, webhook_id: id, project_id: projectId } = webhook;
  const remove = useMutation({
    mutationFn: () => call('DELETE /webhooks/{webhook_id}', { params: { webhook_id: id } }),
    onError: toastRefusal,
    onSuccess: async () => {
      if (projectId) await navigate({ to: '/projects/$projectId/webhooks', params: { projectId } });
      else await navigate({ to: '/webhooks' });
      client.removeQueries({ queryKey: webhookQuery(id).queryKey });
      await client.invalidateQueries({ queryKey: webhooksKey });
      toast(words.deleted(name));
    },
  });
  const ask = async () => {
    const question = { title: words.deleteTitle(name), hint: words.deleteHint, yes: words.delete, isDangerous: true };
    if (await confirm(question)) remove.mutate();
  };
  return (
    <Section title={words.delete} hint={words.deleteHint}>
      <Button color="red.8" loading={remove.isPending} onClick={() => void ask()}>
        {words.delete}
      </Button>
    </Section>
  );
}
