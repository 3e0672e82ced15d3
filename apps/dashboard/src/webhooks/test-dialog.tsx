import type { TestedWebhook, Webhook } from '@bottega/contract';
import { Alert, Button, Code, Group, Modal, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { Form } from '../kit/form.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Reason } from '../kit/reason.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { deliveriesWords } from './deliveries.words.ts';
import { EventSelect } from './event-select.tsx';
import { eventTypesQuery, webhookQuery } from './webhooks-query.ts';

type Props = { webhook: Webhook; isOpen: boolean; close: () => void };

export function TestDialog({ webhook, isOpen, close }: Props) {
  const words = useWords(deliveriesWords);
  return (
    <Modal opened={isOpen} onClose={close} title={words.test} size="lg">
      <TestForm webhook={webhook} />
    </Modal>
  );
}

/** Undefined if it is not a JSON object. */
function objectIn(text: string): Record<string, unknown> | null | undefined {
  if (text.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function TestForm({ webhook }: { webhook: Webhook }) {
  const words = useWords(deliveriesWords);
  const client = useQueryClient();
  const { data: types = [] } = useQuery(eventTypesQuery);
  const [event, setEvent] = useState('');
  const [text, setText] = useState('');
  const payload = objectIn(text);
  const { webhook_id: id, format } = webhook;
  const example = types.find(({ formats }) => formats[format].name === (event || 'test.ping'))?.formats[format].example;
  const test = useMutation({
    mutationFn: () =>
      call('POST /webhooks/{webhook_id}/test', {
        params: { webhook_id: id },
        body: { ...(event !== '' && { event_type: event }), ...(payload && { payload }) },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: webhookQuery(id).queryKey }),
  });
  return (
    <Form submit={test.mutate}>
      <Text size="sm">{words.testHint}</Text>
      <EventSelect label={words.testEvent} all="test.ping" format={format} value={event} change={setEvent} />
      <Textarea
        label={words.payload}
        description={words.payloadHint}
        autosize
        minRows={3}
        maxRows={14}
        spellCheck={false}
        value={text}
        onChange={(changed) => setText(changed.currentTarget.value)}
        error={payload === undefined && words.payloadWrong}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
      />
      <Refusal error={test.error} />
      {test.data && <Outcome tested={test.data} webhookId={id} />}
      <Group justify="space-between">
        <Button
          variant="default"
          disabled={!example}
          onClick={() => setText(JSON.stringify(example?.data ?? {}, null, 2))}
        >
          {words.useExample}
        </Button>
        <Button type="submit" loading={test.isPending} disabled={payload === undefined}>
          {words.send}
        </Button>
      </Group>
    </Form>
  );
}

function Outcome({ tested, webhookId }: { tested: TestedWebhook; webhookId: string }) {
  const words = useWords(deliveriesWords);
  const language = useLanguage();
  const hasArrived = tested.status === 'success';
  return (
    <Alert
      role="status"
      color={hasArrived ? 'green' : 'red'}
      variant="outline"
      title={hasArrived ? words.testArrived : words.testFailed}
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {tested.response_code !== null && <Code mr={6}>{tested.response_code}</Code>}
          {tested.error && <Reason field="error" of={tested} />}
          {!tested.error &&
            tested.response_time !== null &&
            words.milliseconds(tested.response_time.toLocaleString(language))}
        </Text>
        <AnchorLink
          to="/webhooks/$webhookId/deliveries/$deliveryId"
          params={{ webhookId, deliveryId: tested.delivery_id }}
          size="sm"
          underline="always"
        >
          {words.seeDelivery}
        </AnchorLink>
      </Group>
    </Alert>
  );
}
