import { type CreatedWebhook, effectiveRetryPolicy } from '@bottega/contract';
import { Alert, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { call, once } from '../api/client.ts';
import { CopyLine } from '../kit/copy-line.tsx';
import { BackLink, ButtonLink } from '../kit/links.tsx';
import { Page } from '../kit/page.tsx';
import { useWords } from '../words/words.tsx';
import { createOf, emptyForm, type FormValues } from './form-values.ts';
import { WebhookForm } from './webhook-form.tsx';
import { webhooksWords } from './webhooks.words.ts';
import { webhooksKey } from './webhooks-query.ts';

const route = getRouteApi('/inside/webhooks/new');

export function NewWebhookScreen() {
  const words = useWords(webhooksWords);
  const client = useQueryClient();
  const { project = '' } = route.useSearch();
  const [created, setCreated] = useState<CreatedWebhook | null>(null);
  const create = async (values: FormValues) => {
    const body = createOf(values, effectiveRetryPolicy(values.format, null));
    setCreated(await call('POST /webhooks', { body, ...once() }));
    await client.invalidateQueries({ queryKey: webhooksKey });
  };
  if (created) {
    const params = { webhookId: created.webhook_id };
    return (
      <Page title={created.name} hint={created.url}>
        <Stack align="flex-start" maw={720}>
          <Alert color="green" variant="outline" role="status" title={words.isThere} w="100%">
            <Stack gap="xs">
              <Text size="sm">{words.secretNew}</Text>
              <CopyLine label={words.secret} value={created.secret} />
            </Stack>
          </Alert>
          <ButtonLink to="/webhooks/$webhookId/deliveries" params={params}>
            {words.done}
          </ButtonLink>
        </Stack>
      </Page>
    );
  }
  return (
    <Page title={words.new} back={<BackLink to="/webhooks">{words.all}</BackLink>}>
      <WebhookForm initial={emptyForm(project, effectiveRetryPolicy('reference', null))} isNew send={create} />
    </Page>
  );
}
