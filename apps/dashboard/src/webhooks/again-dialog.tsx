import type { Webhook } from '@bottega/contract';
import { Modal, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, once } from '../api/client.ts';
import { Form, Submit } from '../kit/form.tsx';
import { useWords } from '../words/words.tsx';
import { deliveriesWords } from './deliveries.words.ts';
import { EventSelect } from './event-select.tsx';
import { webhookQuery } from './webhooks-query.ts';

type What = 'failed' | 'missed';
type Props = { webhook: Webhook; what: What | undefined; close: () => void };

/** Maximum number of deliveries that one request creates. A further request creates the next ones. */
const maxAtOnce = 10_000;

/** Redelivers everything that failed, or everything that was missed. */
export function AgainDialog({ webhook, what, close }: Props) {
  const words = useWords(deliveriesWords);
  return (
    <Modal
      opened={what !== undefined}
      onClose={close}
      title={what === 'missed' ? words.missed : words.failedAgain}
      keepMounted={false}
    >
      {what && <AgainForm key={what} webhook={webhook} what={what} />}
    </Modal>
  );
}

const asTime = (local: string): string => new Date(local).toISOString();

function AgainForm({ webhook, what }: { webhook: Webhook; what: What }) {
  const words = useWords(deliveriesWords);
  const client = useQueryClient();
  const [since, setSince] = useState('');
  const [until, setUntil] = useState('');
  const [event, setEvent] = useState('');
  const isMissed = what === 'missed';
  const deliver = useMutation({
    mutationFn: () =>
      call(`POST /webhooks/{webhook_id}/${isMissed ? 'recover' : 'redeliver-failed'}`, {
        params: { webhook_id: webhook.webhook_id },
        body: {
          ...(since && { since: asTime(since) }),
          ...(until && { until: asTime(until) }),
          ...(!isMissed && event && { event_type: event }),
        },
        ...once(),
      }),
    onSettled: () => client.invalidateQueries({ queryKey: webhookQuery(webhook.webhook_id).queryKey }),
  });
  return (
    <Form submit={deliver.mutate}>
      <Text size="sm">{isMissed ? words.missedHint : words.failedHint}</Text>
      <TextInput
        label={words.since}
        {...(!isMissed && { description: words.sinceHint })}
        type="datetime-local"
        required={isMissed}
        value={since}
        onChange={(changed) => setSince(changed.currentTarget.value)}
        data-autofocus
      />
      <TextInput
        label={words.until}
        description={words.untilHint}
        type="datetime-local"
        min={since}
        value={until}
        onChange={(changed) => setUntil(changed.currentTarget.value)}
      />
      {!isMissed && (
        <EventSelect
          label={words.onlyEvent}
          all={words.allEvents}
          format={webhook.format}
          value={event}
          change={setEvent}
        />
      )}
      {deliver.data && (
        <Text size="sm" role="status">
          {words.scheduled(deliver.data.scheduled)}. {deliver.data.scheduled >= maxAtOnce && words.more}
        </Text>
      )}
      <Submit sending={deliver} at="flex-end">
        {words.doIt}
      </Submit>
    </Form>
  );
}
