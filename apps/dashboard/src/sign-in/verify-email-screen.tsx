import { Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../api/client.ts';
import { ButtonLink } from '../kit/links.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { FrontDoor } from './front-door.tsx';
import { useLinkToken } from './link-token.ts';
import { signInWords } from './sign-in.words.ts';

export function VerifyEmailScreen() {
  const words = useWords(signInWords);
  const token = useLinkToken();
  const { mutate, ...verification } = useMutation({
    mutationFn: (token: string) => call('POST /auth/verify-email', { body: { token } }),
  });
  useEffect(() => {
    if (token) mutate(token);
  }, [token, mutate]);
  return (
    <FrontDoor title={words.verifyTitle}>
      <Stack aria-live="polite">
        {!token && <Text size="sm">{words.noToken}</Text>}
        {verification.isPending && <Text size="sm">{words.verifying}</Text>}
        {verification.data && <Text size="sm">{words.verified(verification.data.email)}</Text>}
        <Refusal error={verification.error} />
        <ButtonLink to="/sign-in">{words.signIn}</ButtonLink>
      </Stack>
    </FrontDoor>
  );
}
