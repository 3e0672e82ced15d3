import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { signInWords } from './sign-in.words.ts';

export function ResendLink({ email }: { email: string }) {
  const words = useWords(signInWords);
  const resend = useMutation({ mutationFn: () => call('POST /auth/verify-email/resend', { body: { email } }) });
  if (resend.isSuccess) return <Text size="sm">{words.resent}</Text>;
  return (
    <>
      <Button variant="default" onClick={() => resend.mutate()} loading={resend.isPending}>
        {words.resend}
      </Button>
      <Refusal error={resend.error} />
    </>
  );
}
