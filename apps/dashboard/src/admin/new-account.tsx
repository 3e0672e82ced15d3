import type { CreateAccount, CreatedAccount } from '@bottega/contract';
import { Button, Modal, NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, call, once } from '../api/client.ts';
import { Submit } from '../kit/form.tsx';
import { useWords } from '../words/words.tsx';
import { plans } from './admin-search.ts';
import { LinkShown } from './rescue.tsx';
import { rescueWords } from './rescue.words.ts';

/**
 * Creates an account. The administrator does not choose the password, but passes on a link by which the user sets it.
 */
export function NewAccountButton() {
  const words = useWords(rescueWords);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button onClick={open} leftSection={<IconPlus size={16} aria-hidden />}>
        {words.newAccount}
      </Button>
      <Modal opened={isOpen} onClose={close} title={words.newAccount}>
        <NewAccount close={close} />
      </Modal>
    </>
  );
}

function NewAccount({ close }: { close: () => void }) {
  const words = useWords(rescueWords);
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: (body: CreateAccount) => call('POST /admin/users', { body, ...once() }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['admin'] }),
  });
  return create.data ? (
    <Stack>
      <Text size="sm">{words.created(create.data.name)}</Text>
      <LinkShown link={create.data.reset_link} close={close} />
    </Stack>
  ) : (
    <AccountForm create={create} />
  );
}

type Creating = {
  mutate: (body: CreateAccount, options: { onError: (error: unknown) => void }) => void;
  data: CreatedAccount | undefined;
  error: unknown;
  isPending: boolean;
};

function AccountForm({ create }: { create: Creating }) {
  const words = useWords(rescueWords);
  const form = useForm<Required<CreateAccount>>({
    initialValues: { name: '', email: '', plan: 'free', is_admin: false },
  });
  const onError = (error: unknown) => void (error instanceof ApiError && form.setErrors(error.fields));
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(values, { onError }))}>
      <Stack>
        <Text size="sm">{words.newHint}</Text>
        <TextInput label={words.name} required maxLength={100} data-autofocus {...form.getInputProps('name')} />
        <TextInput label={words.email} type="email" required {...form.getInputProps('email')} />
        <NativeSelect label={words.plan} data={[...plans]} {...form.getInputProps('plan')} />
        <Switch label={words.isAdmin} {...form.getInputProps('is_admin', { type: 'checkbox' })} />
        <Submit sending={create} at="flex-end">
          {words.create}
        </Submit>
      </Stack>
    </form>
  );
}
