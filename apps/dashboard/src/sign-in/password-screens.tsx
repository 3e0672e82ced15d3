import { Button, Checkbox, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '../api/client.ts';
import { authOptionsQuery } from '../api/session.ts';
import { AnchorLink } from '../kit/links.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { FrontDoor } from './front-door.tsx';
import { useLinkToken } from './link-token.ts';
import { signInWords } from './sign-in.words.ts';

function BackToSignIn(): ReactNode {
  const words = useWords(signInWords);
  return <AnchorLink to="/sign-in">{words.back}</AnchorLink>;
}

export function ForgotPasswordScreen() {
  const words = useWords(signInWords);
  const [email, setEmail] = useState('');
  const { data: options } = useQuery(authOptionsQuery);
  const ask = useMutation({ mutationFn: () => api.post('/auth/password/forgot', { email }) });
  if (options && !options.email_verification) {
    return (
      <FrontDoor title={words.forgotTitle} below={<BackToSignIn />}>
        <Text size="sm">{words.noMail}</Text>
      </FrontDoor>
    );
  }
  if (ask.isSuccess) {
    return (
      <FrontDoor title={words.sent} below={<BackToSignIn />}>
        <Text size="sm">{words.sentReset(email)}</Text>
      </FrontDoor>
    );
  }
  return (
    <FrontDoor title={words.forgotTitle} hint={words.forgotHint} below={<BackToSignIn />}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          ask.mutate();
        }}
      >
        <Stack>
          <TextInput
            label={words.email}
            type="email"
            autoComplete="username"
            required
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Refusal error={ask.error} />
          <Button type="submit" loading={ask.isPending}>
            {words.sendLink}
          </Button>
        </Stack>
      </form>
    </FrontDoor>
  );
}

export function ResetPasswordScreen() {
  const words = useWords(signInWords);
  const token = useLinkToken();
  const [password, setPassword] = useState('');
  const [revokes, setRevokes] = useState(false);
  const reset = useMutation({
    mutationFn: () => api.post('/auth/password/reset', { token, password, revoke_credentials: revokes }),
  });
  if (!token || reset.isSuccess) {
    return (
      <FrontDoor title={words.resetTitle} below={<BackToSignIn />}>
        <Text size="sm">{token ? words.resetDone : words.noToken}</Text>
      </FrontDoor>
    );
  }
  return (
    <FrontDoor title={words.resetTitle} below={<BackToSignIn />}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          reset.mutate();
        }}
      >
        <Stack>
          <PasswordInput
            label={words.newPassword}
            description={words.passwordHint}
            autoComplete="new-password"
            minLength={8}
            required
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Checkbox
            label={words.revoke}
            description={words.revokeHint}
            checked={revokes}
            onChange={(event) => setRevokes(event.currentTarget.checked)}
          />
          <Refusal error={reset.error} />
          <Button type="submit" loading={reset.isPending}>
            {words.save}
          </Button>
        </Stack>
      </form>
    </FrontDoor>
  );
}
