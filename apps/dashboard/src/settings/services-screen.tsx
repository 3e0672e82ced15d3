import type { CreateService, NewService, Service } from '@bottega/contract';
import { Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call, once } from '../api/client.ts';
import { confirm } from '../kit/confirm.tsx';
import { FormSection, Submit } from '../kit/form.tsx';
import { Section } from '../kit/page.tsx';
import { ListSection, Rows } from '../kit/paged-list.tsx';
import { RowButton } from '../kit/row-button.tsx';
import { ShownOnce } from '../kit/shown-once.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { ServiceAccountsSection } from './service-accounts-section.tsx';
import { servicesWords } from './services.words.ts';

const servicesKey = ['services'];

export function ServicesScreen() {
  const words = useWords(servicesWords);
  const services = useQuery({
    queryKey: servicesKey,
    queryFn: async ({ signal }) => (await call('GET /user/services', { signal })).data,
  });
  const [shown, setShown] = useState<NewService | null>(null);
  return (
    <>
      <ListSection words={words} answer={services}>
        {(items) => (
          <Rows>
            {items.map((service) => (
              <ServiceRow key={service.id} service={service} rotated={setShown} />
            ))}
          </Rows>
        )}
      </ListSection>
      {shown ? (
        <Section title={shown.issuer}>
          <ShownOnce
            say={words.created}
            lines={[
              { label: words.secret, value: shown.secret },
              { label: words.kid, value: shown.kid },
              { label: words.subject, value: shown.user_id },
              { label: words.audience, value: 'bottega' },
            ]}
            done={words.done}
            close={() => setShown(null)}
          />
        </Section>
      ) : (
        <NewServiceForm created={setShown} />
      )}
      <ServiceAccountsSection />
    </>
  );
}

function ServiceRow({ service, rotated }: { service: Service; rotated: (service: NewService) => void }) {
  const words = useWords(servicesWords);
  const client = useQueryClient();
  const { id, issuer } = service;
  const change = useMutation({
    mutationFn: async (what: 'rotate' | 'remove') => {
      const params = { service_id: id };
      if (what === 'rotate')
        return rotated(await call('POST /user/services/{service_id}/rotate', { params, ...once() }));
      await call('DELETE /user/services/{service_id}', { params });
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
        <RowButton
          label={words.rotate}
          of={issuer}
          onClick={() => void rotate()}
          loading={change.isPending && change.variables === 'rotate'}
        />
        <RowButton label={words.remove} of={issuer} onClick={() => void remove()} />
      </Group>
    </Group>
  );
}

function NewServiceForm({ created }: { created: (service: NewService) => void }) {
  const words = useWords(servicesWords);
  const client = useQueryClient();
  const [sendOnce] = useState(once);
  const form = useForm<CreateService>({ initialValues: { issuer: '' } });
  const create = useMutation({
    mutationFn: (body: CreateService) => call('POST /user/services', { body, ...sendOnce }),
    onSuccess: async (service) => {
      await client.invalidateQueries({ queryKey: servicesKey });
      created(service);
    },
    onError: (error) => error instanceof ApiError && form.setErrors(error.fields),
  });
  return (
    <FormSection title={words.new} maw={560} onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <TextInput
        label={words.issuer}
        description={words.issuerHint}
        required
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('issuer')}
      />
      <Submit sending={create}>{words.create}</Submit>
    </FormSection>
  );
}
