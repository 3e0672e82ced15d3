import { Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { authOptionsQuery } from '../api/session.ts';
import { CopyLine } from '../kit/copy-line.tsx';
import { openDialog } from '../kit/dialog.ts';
import { RowButton } from '../kit/row-button.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';
import { useWords } from '../words/words.tsx';
import { peopleWords } from './people.words.ts';

type Props = { params: { project_id: string; collaborator_id: string }; name: string };

/**
 * Sends a new link with a new expiry. The old link stops working. Without mail, the new link is shown, so that the user
 * can pass it on.
 */
export function ResendButton({ params, name }: Props) {
  const words = useWords(peopleWords);
  const sendsNoMail = useQuery(authOptionsQuery).data?.email_verification === false;
  const label = sendsNoMail ? words.newLink : words.resend;
  const resend = useMutation({
    mutationFn: () => call('POST /projects/{project_id}/collaborators/{collaborator_id}/resend', { params }),
    onSuccess: ({ user, invitation_url: url }) => {
      if (!url) return toast(words.sent(user.email));
      openDialog({
        title: label,
        children: (
          <Stack>
            <Text size="sm">{words.link}</Text>
            <CopyLine label={words.linkLabel} value={url} />
          </Stack>
        ),
      });
    },
    onError: toastRefusal,
  });
  return <RowButton label={label} of={name} onClick={() => resend.mutate()} loading={resend.isPending} />;
}
