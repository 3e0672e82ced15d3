import type { AdminUser } from '@bottega/contract';
import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { toast } from '../kit/toast.ts';
import { useWords } from '../words/words.tsx';
import { adminWords } from './admin.words.ts';
import { plans } from './admin-search.ts';
import { useAccountChange } from './use-account-change.ts';

const statuses = ['active', 'past_due', 'canceled'] as const;

/**
 * Changes the plan of an account and the end of its subscription. The form shows the end as a day, although the service
 * stores the exact time.
 */
export function SubscriptionForm({ user }: { user: AdminUser }) {
  const words = useWords(adminWords);
  const { plan, status, expires_at: expiresAt } = user.subscription;
  const form = useForm({ initialValues: { plan, status, ends: expiresAt?.slice(0, 10) ?? '' } });
  const change = useAccountChange(user.id, () => toast(words.saved));
  const save = ({ ends, ...wanted }: typeof form.values) => {
    const isSameDay = ends === (expiresAt?.slice(0, 10) ?? '');
    const expires = ends === '' ? null : `${ends}T23:59:59Z`;
    change.mutate({ subscription: { ...wanted, ...(!isSameDay && { expires_at: expires }) } });
  };
  return (
    <form onSubmit={form.onSubmit(save)}>
      <Group align="flex-end" gap="sm">
        <NativeSelect label={words.plan} data={[...plans]} {...form.getInputProps('plan')} />
        <NativeSelect
          label={words.status}
          data={statuses.map((value) => ({ value, label: words[value] }))}
          {...form.getInputProps('status')}
        />
        <TextInput
          label={`${words.ends} (${words.endsHint.toLowerCase()})`}
          type="date"
          {...form.getInputProps('ends')}
        />
        <Button type="submit" disabled={!form.isDirty()} loading={change.isPending}>
          {words.save}
        </Button>
      </Group>
    </form>
  );
}
