import type { DeliveryDetail, Redelivery } from '@bottega/contract';
import { Accordion, Alert, Box, Button, Code, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconRefresh } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, once } from '../api/client.ts';
import { AnchorLink } from '../kit/links.tsx';
import { Refusal, toast, toastRefusal } from '../kit/refusal.tsx';
import { StatusIcon } from '../kit/status-icon.tsx';
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
  // The first answer is waited for, so that an unknown one is the documented 404; later ones may fail and be tried again.
  useSuspenseQuery({ ...deliveryQuery(webhookId, deliveryId), refetchInterval: false });
  const { data: delivery, error, refetch } = useQuery(deliveryQuery(webhookId, deliveryId));
  if (!delivery) return null;
  const { attempt_log: attempts } = delivery;
  return (
    <Stack gap="md">
      <Box>
        <AnchorLink to="/webhooks/$webhookId/deliveries" params={{ webhookId }} size="sm">
          <Group gap={4} component="span" display="inline-flex">
            <IconArrowLeft size={14} aria-hidden />
            {words.back}
          </Group>
        </AnchorLink>
        <Group justify="space-between" mt="xs" gap="sm">
          <Group gap="sm" role="status">
            <Title order={2}>{delivery.event_type}</Title>
            <DeliveryStatus status={delivery.status} />
          </Group>
          <RedeliverButton webhookId={webhookId} deliveryId={deliveryId} />
        </Group>
      </Box>
      <Refusal error={error} retry={refetch} />
      <Reason delivery={delivery} />
      <Facts delivery={delivery} />
      {attempts.length === 0 ? (
        <section>
          <Text size="sm" mb="sm">
            {words.waiting}
          </Text>
          <Title order={3} mb={6}>
            {words.message}
          </Title>
          <BodyText body={JSON.stringify(delivery.payload)} />
        </section>
      ) : (
        // The last one is what one came for, and a new one when it has come.
        <Accordion
          key={`${deliveryId} ${attempts.length}`}
          variant="contained"
          multiple
          defaultValue={[String(attempts.length)]}
        >
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
      )}
    </Stack>
  );
}

function Reason({ delivery: { status, reason, error } }: { delivery: DeliveryDetail }) {
  const words = useWords(deliveriesWords);
  const known = reasons.find((one) => one === reason);
  if (status !== 'failed') return null;
  return (
    <Alert color="red" variant="outline" title={known ? words[known] : words.failed}>
      <Text size="sm">{error}</Text>
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

function Facts({ delivery }: { delivery: DeliveryDetail }) {
  const words = useWords(deliveriesWords);
  const { webhook_id: webhookId, original_delivery_id: original } = delivery;
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm" className="surface" p="sm">
      <Fact name={words.kind}>{words[`kind_${delivery.kind}`]}</Fact>
      <Fact name={words.created}>
        <Ago at={delivery.created_at} />
      </Fact>
      {delivery.next_retry && (
        <Fact name={words.nextRetry}>
          <Ago at={delivery.next_retry} />
        </Fact>
      )}
      {original && (
        <Fact name={words.original}>
          <AnchorLink
            to="/webhooks/$webhookId/deliveries/$deliveryId"
            params={{ webhookId, deliveryId: original }}
            size="xs"
            ff="monospace"
          >
            {original}
          </AnchorLink>
        </Fact>
      )}
      <Fact name={words.id}>
        <Code>{delivery.delivery_id}</Code>
      </Fact>
      <Fact name={words.eventId}>
        <Code>{delivery.event_id}</Code>
      </Fact>
    </SimpleGrid>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Box fz="sm" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Box>
    </div>
  );
}

function RedeliverButton({ webhookId, deliveryId }: { webhookId: string; deliveryId: string }) {
  const words = useWords(deliveriesWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  const redeliver = useMutation({
    mutationFn: () =>
      api.post<Redelivery>(`/webhooks/${webhookId}/deliveries/${deliveryId}/redeliver`, undefined, once()),
    onError: toastRefusal,
    onSuccess: async ({ delivery_id: made }) => {
      toast(words.redelivered);
      await client.invalidateQueries({ queryKey: [...webhookQuery(webhookId).queryKey, 'deliveries'] });
      await navigate({
        to: '/webhooks/$webhookId/deliveries/$deliveryId',
        params: { webhookId, deliveryId: made },
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
