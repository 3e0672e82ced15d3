import type { DeliveryDetail } from '@bottega/contract';
import { Accordion, Alert, Button, Code, Group, SimpleGrid, Text, Title } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { call, once } from '../api/client.ts';
import { oneOf } from '../kit/address.ts';
import { DetailHeading, DetailPage } from '../kit/detail-page.tsx';
import { Facts } from '../kit/facts.tsx';
import { AnchorLink, BackLink } from '../kit/links.tsx';
import { Reason } from '../kit/reason.tsx';
import { StatusIcon } from '../kit/status-icon.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';
import { Ago, exactly } from '../words/time.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { type Attempt, AttemptDetail, BodyText } from './attempt.tsx';
import { deliveriesWords } from './deliveries.words.ts';
import { DeliveryStatus } from './delivery-status.tsx';
import { deliveryQuery, webhookQuery } from './webhooks-query.ts';

const route = getRouteApi('/inside/webhooks/$webhookId/deliveries/$deliveryId');
const reasons = ['exhausted', 'rejected', 'refused', 'gone', 'inactive', 'no_access'] as const;

export function DeliveryScreen() {
  const words = useWords(deliveriesWords);
  const { webhookId, deliveryId } = route.useParams();
  const answer = useQuery(deliveryQuery(webhookId, deliveryId));
  const back = (
    <BackLink to="/webhooks/$webhookId/deliveries" params={{ webhookId }}>
      {words.back}
    </BackLink>
  );
  return (
    <DetailPage back={back} answer={answer}>
      {(delivery) => (
        <>
          <DetailHeading
            title={delivery.event_type}
            status={<DeliveryStatus status={delivery.status} />}
            actions={<RedeliverButton webhookId={webhookId} deliveryId={deliveryId} />}
          />
          <WhyFailed delivery={delivery} />
          <DeliveryFacts delivery={delivery} />
          {delivery.attempt_log.length === 0 ? <Waiting delivery={delivery} /> : <Attempts delivery={delivery} />}
        </>
      )}
    </DetailPage>
  );
}

function Waiting({ delivery }: { delivery: DeliveryDetail }) {
  const words = useWords(deliveriesWords);
  return (
    <section>
      <Text size="sm" mb="sm">
        {words.waiting}
      </Text>
      <Title order={3} mb={6}>
        {words.message}
      </Title>
      <BodyText body={JSON.stringify(delivery.payload)} />
    </section>
  );
}

/** The last attempt is open, because it matters most. When a new attempt arrives, it opens. */
function Attempts({ delivery: { delivery_id: id, attempt_log: attempts } }: { delivery: DeliveryDetail }) {
  const last = String(attempts.length);
  return (
    <Accordion key={`${id} ${last}`} variant="contained" multiple defaultValue={[last]}>
      {attempts.map((attempt) => (
        <Accordion.Item key={attempt.attempt} value={String(attempt.attempt)}>
          <Accordion.Control>
            <AttemptLine attempt={attempt} />
          </Accordion.Control>
          <Accordion.Panel>
            <AttemptDetail attempt={attempt} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

function WhyFailed({ delivery }: { delivery: DeliveryDetail }) {
  const words = useWords(deliveriesWords);
  const { status, reason } = delivery;
  const namedReason = oneOf(...reasons)(reason);
  if (status !== 'failed') return null;
  return (
    <Alert color="red" variant="outline" title={namedReason ? words[namedReason] : words.failed}>
      <Text size="sm">
        <Reason field="error" of={delivery} />
      </Text>
    </Alert>
  );
}

function AttemptLine({ attempt }: { attempt: Attempt }) {
  const words = useWords(deliveriesWords);
  const language = useLanguage();
  const { response_code: code, response_time: time, error } = attempt;
  const hasArrived = error === null && code !== null && code >= 200 && code < 300;
  return (
    <Group gap="sm">
      <StatusIcon status={hasArrived ? 'success' : 'failed'} />
      <Text size="sm" fw={600}>
        {words.attempt(attempt.attempt)}
      </Text>
      <Text size="sm">{code ?? words.noAnswer}</Text>
      {time !== null && (
        <Text size="sm" c="dimmed">
          {words.milliseconds(time.toLocaleString(language))}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {exactly(attempt.started_at, language)}
      </Text>
    </Group>
  );
}

function DeliveryFacts({ delivery }: { delivery: DeliveryDetail }) {
  const words = useWords(deliveriesWords);
  const { webhook_id: webhookId, original_delivery_id: original, next_retry: next } = delivery;
  const values = {
    [words.kind]: words[`kind_${delivery.kind}`],
    [words.created]: <Ago at={delivery.created_at} />,
    [words.nextRetry]: next && <Ago at={next} />,
    [words.original]: original && (
      <AnchorLink
        to="/webhooks/$webhookId/deliveries/$deliveryId"
        params={{ webhookId, deliveryId: original }}
        size="xs"
        ff="monospace"
      >
        {original}
      </AnchorLink>
    ),
    [words.id]: <Code>{delivery.delivery_id}</Code>,
    [words.eventId]: <Code>{delivery.event_id}</Code>,
  };
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm" className="surface" p="sm">
      <Facts values={values} />
    </SimpleGrid>
  );
}

function RedeliverButton({ webhookId, deliveryId }: { webhookId: string; deliveryId: string }) {
  const words = useWords(deliveriesWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  const params = { webhook_id: webhookId, delivery_id: deliveryId };
  const redeliver = useMutation({
    mutationFn: () => call('POST /webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver', { params, ...once() }),
    onError: toastRefusal,
    onSuccess: async ({ delivery_id: newId }) => {
      toast(words.redelivered);
      await client.invalidateQueries({ queryKey: [...webhookQuery(webhookId).queryKey, 'deliveries'] });
      await navigate({
        to: '/webhooks/$webhookId/deliveries/$deliveryId',
        params: { webhookId, deliveryId: newId },
      });
    },
  });
  return (
    <Button
      variant="default"
      leftSection={<IconRefresh size={16} />}
      loading={redeliver.isPending}
      onClick={() => redeliver.mutate()}
    >
      {words.redeliver}
    </Button>
  );
}
