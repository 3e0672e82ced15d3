import type { InviteCollaborator, Role } from '@bottega/contract';
import { NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, call, once } from '../api/client.ts';
import { collaboratorsQuery } from '../api/rights.ts';
import { authOptionsQuery } from '../api/session.ts';
import { CopyLine } from '../kit/copy-line.tsx';
import { FormSection, Submit } from '../kit/form.tsx';
import { useWords } from '../words/words.tsx';
import { peopleWords } from './people.words.ts';

export function InviteForm({ projectId }: { projectId: string }) {
  const words = useWords(peopleWords);
  const client = useQueryClient();
  const sendsNoMail = useQuery(authOptionsQuery).data?.email_verification === false;
  const form = useForm({ initialValues: { email: '', role: 'editor' as Role, message: '' } });
  const invite = useMutation({
    mutationFn: (body: InviteCollaborator) =>
      call('POST /projects/{project_id}/collaborators', { params: { project_id: projectId }, body, ...once() }),
    onSuccess: async () => {
      form.reset();
      await client.invalidateQueries({ queryKey: collaboratorsQuery(projectId).queryKey });
    },
    onError: (error) => error instanceof ApiError && form.setErrors(error.fields),
  });
  return (
    <FormSection
      title={words.inviteTitle}
      hint={words.roles}
      maw={480}
      onSubmit={form.onSubmit((values) => invite.mutate(values))}
    >
      {sendsNoMail && <Text size="sm">{words.noMail}</Text>}
      <TextInput label={words.email} type="email" required {...form.getInputProps('email')} />
      <NativeSelect
        label={words.role}
        data={(['viewer', 'editor', 'admin'] as const).map((role) => ({ value: role, label: words[role] }))}
        {...form.getInputProps('role')}
      />
      <Textarea label={words.message} autosize minRows={2} maxLength={2000} {...form.getInputProps('message')} />
      {invite.data && (
        <Stack gap="xs" role="status">
          <Text size="sm">{invite.data.invitation_url ? words.link : words.sent(invite.data.user.email)}</Text>
          {invite.data.invitation_url && <CopyLine label={words.linkLabel} value={invite.data.invitation_url} />}
        </Stack>
      )}
      <Submit sending={invite}>{sendsNoMail ? words.createLink : words.invite}</Submit>
    </FormSection>
  );
}
