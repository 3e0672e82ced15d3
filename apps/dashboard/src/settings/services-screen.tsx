import type { CreateService, NewService, Service } from '@bottega/contract';
import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, api, type List, once } from '../api/client.ts';
import { confirm } from '../kit/confirm.tsx';
import { Loading } from '../kit/loading.tsx';
import { Empty, Section } from '../kit/page.tsx';
import { Refusal, toast, toastRefusal } from '../kit/refusal.tsx';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { servicesWords } from './services.words.ts';
import { ShownOnce } from './shown-once.tsx';

const servicesKey = ['services'];

export function ServicesScreen() {
  const words = useWords(servicesWords);
  const services = useQuery({
    queryKey: servicesKey,
    queryFn: async ({ signal }) => (await api.get<List<Service>>('/user/services', { signal })).data,
  });
  const [made, setMade] = useState<NewService | null>(null);
  return (
    <>
      <Section title={words.title} hint={words.hint}>
        <Refusal error={services.error} retry={services.refetch} />
        {services.isPending && <Loading lines={3} />}
        {services.data?.length === 0 && <Empty title={words.none} hint={words.noneHint} />}
        {services.data && services.data.length > 0 && (
          <Stack gap={0} className="surface rows">
            {services.data.map((service) => (
              <ServiceRow key={service.id} service={service} rotated={setMade} />
            ))}
          </Stack>
        )}
      </Section>
      {made ? (
        <Section title={made.issuer}>
          <ShownOnce
            say={words.created}
            lines={[
              { label: words.secret, value: made.secret },
              { label: words.kid, value: made.kid },
              { label: words.subject, value: made.user_id },
              { label: words.audience, value: 'bottega' },
            ]}
            done={words.done}
            close={() => setMade(null)}
          />
        </Section>
      ) : (
        <NewServiceForm created={setMade} />
      )}
    </>
  );
}

function ServiceRow({ service, rotated }: { service: Service; rotated: (made: NewService) => void }) {
  const words = useWords(servicesWords);
  const client = useQueryClient();
  const { id, issuer } = service;
  const change = useMutation({
    mutationFn: async (what: 'rotate' | 'remove') => {
      if (what === 'rotate') return rotated(await api.post<NewService>(`/user/services/${id}/rotate`, {}, once()));
      await api.delete(`/user/services/${id}`);
      toast(words.removed(issuer));
    },
    onError: toastRefusal,
    onSettled: () => client.invalidateQueries({ queryKey: servicesKey }),
  });
  const rotate = async () => {
    const question = { title: words.rotateTitle(issuer), hint: words.rotateHint, yes: words.rotate };
    if (await confirm(question)) change.mutate('rotate');
  };
  const remove = async () => {
    const question = { title: words.removeTitle(issuer), hint: words.removeHint, yes: words.remove, isDangerous: true };
    if (await confirm(question)) change.mutate('remove');
  };
  return (
    <Group px="sm" py={10} justify="space-between" gap="xs">
      <Stack gap={2} style={{ minWidth: 0 }}>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {issuer}
        </Text>
        {service.keys.map((key) => (
          <Text key={key.kid} size="xs" c="dimmed" component="div">
            <Code>{key.kid}</Code> {words.made.toLowerCase()} <Ago at={key.created_at} />
            {key.expires_at && (
              <>
                , {words.ends} <Ago at={key.expires_at} />
              </>
            )}
          </Text>
        ))}
      </Stack>
      <Group gap="xs">
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => void rotate()}
          loading={change.isPending && change.variables === 'rotate'}
          aria-label={`${words.rotate}: ${issuer}`}
        >
          {words.rotate}
        </Button>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => void remove()}
          aria-label={`${words.remove}: ${issuer}`}
        >
          {words.remove}
        </Button>
      </Group>
    </Group>
  );
}

function NewServiceForm({ created }: { created: (made: NewService) => void }) {
  const words = useWords(servicesWords);
  const client = useQueryClient();
  const [sendOnce] = useState(once);
  const form = useForm<CreateService>({ initialValues: { issuer: '' } });
  const create = useMutation({
    mutationFn: (wanted: CreateService) => api.post<NewService>('/user/services', wanted, sendOnce),
    onSuccess: async (made) => {
      await client.invalidateQueries({ queryKey: servicesKey });
      created(made);
    },
    onError: (error) => error instanceof ApiError && form.setErrors(error.fields),
  });
  return (
    <Section title={words.new}>
      <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
        <Stack maw={560}>
          <TextInput
            label={words.issuer}
            description={words.issuerHint}
            required
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('issuer')}
          />
          <Refusal error={create.error} />
          <Button type="submit" loading={create.isPending} style={{ alignSelf: 'flex-start' }}>
            {words.create}
          </Button>
        </Stack>
      </form>
    </Section>
  );
}
