import { Button, Group, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, nullAt, once } from '../api/client.ts';
import { Form, Submit } from '../kit/form.tsx';
import { Section } from '../kit/page.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { peopleWords } from './people.words.ts';

export function TransferSection({ projectId }: { projectId: string }) {
  const words = useWords(peopleWords);
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const queryKey = ['projects', projectId, 'transfer'];
  const params = { project_id: projectId };
  const transfer = useQuery({
    queryKey,
    // Null if the project is not offered to anybody.
    queryFn: ({ signal }) => call('GET /projects/{project_id}/transfer', { params, signal }).catch(nullAt(404)),
  });
  const onSuccess = () => client.invalidateQueries({ queryKey });
  const offer = useMutation({
    mutationFn: () => call('POST /projects/{project_id}/transfer', { params, body: { email }, ...once() }),
    onSuccess,
  });
  const takeBack = useMutation({
    mutationFn: () => call('DELETE /projects/{project_id}/transfer', { params }),
    onSuccess,
  });
  return (
    <Section title={words.transfer} hint={words.transferHint}>
      <Refusal error={transfer.error ?? takeBack.error} />
      {transfer.data ? (
        <Group>
          <Text size="sm">{words.offered(transfer.data.to.email ?? transfer.data.to.id ?? '')}</Text>
          <Button variant="default" onClick={() => takeBack.mutate()} loading={takeBack.isPending}>
            {words.takeBack}
          </Button>
        </Group>
      ) : (
        <Form submit={offer.mutate} maw={480}>
          <TextInput
            label={words.newOwner}
            type="email"
            required
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Submit sending={offer} variant="default">
            {words.offer}
          </Submit>
        </Form>
      )}
    </Section>
  );
}
