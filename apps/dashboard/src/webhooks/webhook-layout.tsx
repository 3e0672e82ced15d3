import './webhooks.css';
import type { Webhook } from '@bottega/contract';
import { Alert, Button, Group, Switch, Text } from '@mantine/core';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { BackLink } from '../kit/links.tsx';
import { Page } from '../kit/page.tsx';
import { Reason } from '../kit/reason.tsx';
import { SectionPanel, SectionTabs, useSection } from '../kit/sections.tsx';
import { toastRefusal } from '../kit/toast.ts';
import { ago, exactly } from '../words/time.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { webhooksWords } from './webhooks.words.ts';
import { webhookQuery, webhooksKey } from './webhooks-query.ts';

const route = getRouteApi('/inside/webhooks/$webhookId');
const sections = ['deliveries', 'figures', 'settings'] as const;

/** The frame of every screen of a webhook: its name and URL, whether it is active, and why not. */
export function WebhookLayout() {
  const words = useWords(webhooksWords);
  const { webhookId } = route.useParams();
  const { data: webhook } = useSuspenseQuery(webhookQuery(webhookId));
  const navigate = useNavigate();
  const turn = useTurning(webhookId);
  const section = useSection(sections, 3);
  return (
    <Page
      title={webhook.name}
      back={
        webhook.project_id ? (
          <BackLink to="/projects/$projectId/webhooks" params={{ projectId: webhook.project_id }}>
            {words.allOfProject}
          </BackLink>
        ) : (
          <BackLink to="/webhooks">{words.all}</BackLink>
        )
      }
      hint={<span style={{ overflowWrap: 'anywhere' }}>{webhook.url}</span>}
      actions={
        <Switch
          label={words.isActive}
          checked={webhook.active}
          onChange={(event) => turn.mutate(event.currentTarget.checked)}
        />
      }
    >
      <Troubles webhook={webhook} turnOn={() => turn.mutate(true)} />
      <SectionTabs
        names={sections}
        section={section}
        words={words}
        go={(name) => void navigate({ to: `/webhooks/$webhookId/${name}`, params: { webhookId } })}
        mb="md"
      />
      <SectionPanel label={words[section]} />
    </Page>
  );
}

function Troubles({ webhook, turnOn }: { webhook: Webhook; turnOn: () => void }) {
  const words = useWords(webhooksWords);
  const language = useLanguage();
  const { active, disabled_reason: reason, disabled_at: at, paused_until: paused } = webhook;
  if (!active && reason) {
    return (
      <Alert color="red" variant="outline" title={words.turnedOff} role="alert" mb="md">
        <Group justify="space-between" gap="sm">
          <Text size="sm">
            <Reason field="disabled_reason" of={webhook} />
            {at && ` (${exactly(at, language)})`}
          </Text>
          <Button size="xs" variant="default" onClick={turnOn}>
            {words.turnOn}
          </Button>
        </Group>
      </Alert>
    );
  }
  if (!active || paused === null || Date.parse(paused) < Date.now()) return null;
  return (
    <Alert color="yellow" variant="light" title={words.pausedTitle} mb="md">
      <Text size="sm">{words.pausedHint(ago(paused, language))}</Text>
    </Alert>
  );
}

/** Shows the change immediately, and the old state again if the service refuses. */
function useTurning(webhookId: string) {
  const client = useQueryClient();
  const { queryKey } = webhookQuery(webhookId);
  return useMutation({
    mutationFn: (active: boolean) =>
      call('PUT /webhooks/{webhook_id}', { params: { webhook_id: webhookId }, body: { active } }),
    onMutate: async (active) => {
      await client.cancelQueries({ queryKey, exact: true });
      const before = client.getQueryData(queryKey);
      if (before) client.setQueryData(queryKey, { ...before, active });
      return before;
    },
    onError: (error, _active, before) => {
      client.setQueryData(queryKey, before);
      toastRefusal(error);
    },
    onSettled: () => client.invalidateQueries({ queryKey: webhooksKey }),
  });
}
