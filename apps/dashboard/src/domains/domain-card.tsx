import type { Domain } from '@bottega/contract';
import { Box, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { confirm } from '../kit/confirm.tsx';
import { RowButton } from '../kit/row-button.tsx';
import { StatusIcon } from '../kit/status-icon.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { DomainRecords } from './domain-records.tsx';
import { domainsWords } from './domains.words.ts';
import { domainsQuery } from './domains-query.ts';

const icons = { pending: 'pending', verified: 'building', active: 'success', failed: 'failed' } as const;

type Props = {
  domain: Domain;
  /** The domains that this one may redirect to. */
  others: readonly Domain[];
  mayChange: boolean;
};

/** Shows one domain: its state, what the user has to do, and its actions. */
export function DomainCard({ domain, others, mayChange }: Props) {
  const words = useWords(domainsWords);
  const { state, reason, checked_at } = domain;
  return (
    <Box component="article" className="surface" p="md" aria-label={domain.domain}>
      <Group justify="space-between" gap="xs" align="flex-start">
        <Stack gap={2} miw={0}>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {domain.domain}
          </Text>
          <Group gap={6} role="status">
            <StatusIcon status={icons[state]} />
            <Text size="sm">{words[state]}</Text>
            {checked_at && (
              <Text size="xs" c="dimmed" component="span">
                {words.checked} <Ago at={checked_at} />
              </Text>
            )}
          </Group>
        </Stack>
        {mayChange && <Actions domain={domain} />}
      </Group>
      {reason && (
        <Text size="sm" mt="xs">
          {words[reason.type]}
          {reason.type === 'certificate_failed' && ` ${reason.message}`}
        </Text>
      )}
      {mayChange && others.length > 0 && <Redirect domain={domain} others={others} />}
      <Box component="details" mt="sm" open={state !== 'active'}>
        <Text component="summary" size="sm" style={{ cursor: 'pointer' }} mb="xs">
          {words.records}
        </Text>
        <DomainRecords domain={domain} />
      </Box>
    </Box>
  );
}

const paramsOf = ({ project_id, id }: Domain) => ({ project_id, domain: id });

function Actions({ domain }: { domain: Domain }) {
  const words = useWords(domainsWords);
  const client = useQueryClient();
  const params = paramsOf(domain);
  const change = useMutation({
    mutationFn: async (what: 'check' | 'remove') => {
      if (what === 'check') {
        await call('POST /projects/{project_id}/domains/{domain}/verify', { params });
        return;
      }
      await call('DELETE /projects/{project_id}/domains/{domain}', { params });
      toast(words.removed(domain.domain));
    },
    onError: toastRefusal,
    onSettled: () => client.invalidateQueries({ queryKey: domainsQuery(domain.project_id).queryKey }),
  });
  const remove = async () => {
    const question = { title: words.removeTitle(domain.domain), hint: words.removeHint, yes: words.remove };
    if (await confirm({ ...question, isDangerous: true })) change.mutate('remove');
  };
  return (
    <Group gap={6}>
      <RowButton
        label={words.check}
        of={domain.domain}
        onClick={() => change.mutate('check')}
        loading={change.isPending && change.variables === 'check'}
      />
      <RowButton label={words.remove} of={domain.domain} onClick={() => void remove()} />
    </Group>
  );
}

function Redirect({ domain, others }: { domain: Domain; others: readonly Domain[] }) {
  const words = useWords(domainsWords);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (redirect_to: string | null) =>
      call('PATCH /projects/{project_id}/domains/{domain}', { params: paramsOf(domain), body: { redirect_to } }),
    onError: toastRefusal,
    onSettled: () => client.invalidateQueries({ queryKey: domainsQuery(domain.project_id).queryKey }),
  });
  return (
    <NativeSelect
      mt="sm"
      size="xs"
      maw={320}
      label={words.redirect}
      aria-label={words.redirectOf(domain.domain)}
      value={domain.redirect_to ?? ''}
      disabled={change.isPending}
      onChange={(event) => change.mutate(event.currentTarget.value || null)}
      data={[
        { value: '', label: words.noRedirect },
        ...others.map((other) => ({ value: other.domain, label: other.domain })),
      ]}
    />
  );
}
