import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { Loading } from '../kit/loading.tsx';
import { Section } from '../kit/page.tsx';
import { Rows } from '../kit/paged-list.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { RowButton } from '../kit/row-button.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { browserName } from './browser-name.ts';
import { securityWords } from './security.words.ts';

export function SessionsSection() {
  const words = useWords(securityWords);
  const client = useQueryClient();
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => call('GET /auth/sessions', { signal }),
  });
  const end = useMutation({
    mutationFn: (id: string | null) =>
      id === null
        ? call('DELETE /auth/sessions')
        : call('DELETE /auth/sessions/{session_id}', { params: { session_id: id } }),
    onSuccess: () => {
      toast(words.ended);
      return client.invalidateQueries({ queryKey: ['sessions'] });
    },
    onError: toastRefusal,
  });
  const all = sessions.data?.data ?? [];
  return (
    <Section title={words.sessions} hint={words.sessionsHint}>
      <Refusal error={sessions.error} retry={sessions.refetch} />
      {sessions.isPending && <Loading lines={2} />}
      <Rows>
        {all.map((session) => (
          <Group key={session.id} px="sm" py={8} justify="space-between">
            <Stack gap={0}>
              <Group gap="xs">
                <Text size="sm" fw={600} title={session.user_agent}>
                  {browserName(session.user_agent)}
                </Text>
                {session.current && (
                  <Badge size="xs" variant="default">
                    {words.thisOne}
                  </Badge>
                )}
              </Group>
              <Text size="xs" c="dimmed">
                {words.from} {session.address}, {words.lastUsed.toLowerCase()} <Ago at={session.last_used_at} />
              </Text>
            </Stack>
            {!session.current && (
              <RowButton
                label={words.end}
                of={browserName(session.user_agent)}
                onClick={() => end.mutate(session.id)}
              />
            )}
          </Group>
        ))}
      </Rows>
      {all.length > 1 && (
        <Button variant="default" mt="sm" onClick={() => end.mutate(null)} loading={end.isPending}>
          {words.endOthers}
        </Button>
      )}
    </Section>
  );
}
