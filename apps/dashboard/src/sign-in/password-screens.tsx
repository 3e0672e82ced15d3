import { Checkbox, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '../api/client.ts';
import { authOptionsQuery } from '../api/session.ts';
import { Form, Submit } from '../kit/form.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { useWords } from '../words/words.tsx';
import { EmailField, NewPasswordField } from './fields.tsx';
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
  const ask = useMutation({ mutationFn: () => call('POST /auth/password/forgot', { body: { email } }) });
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
      <Form submit={ask.mutate}>
        <EmailField value={email} onChange={(event) => setEmail(event.currentTarget.value)} />
        <Submit sending={ask} at="stretch">
          {words.sendLink}
        </Submit>
      </Form>
    </FrontDoor>
  );
}

export function ResetPasswordScreen() {
  const words = useWords(signInWords);
  const token = useLinkToken();
  const [password, setPassword] = useState('');
  const [revokes, setRevokes] = useState(false);
  const reset = useMutation({
    mutationFn: (token: string) =>
      call('POST /auth/password/reset', { body: { token, password, revoke_credentials: revokes } }),
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
      <Form submit={() => reset.mutate(token)}>
        <NewPasswordField
          label={words.newPassword}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Checkbox
          label={words.revoke}
          description={words.revokeHint}
          checked={revokes}
          onChange={(event) => setRevokes(event.currentTarget.checked)}
        />
        <Submit sending={reset} at="stretch">
          {words.save}
        </Submit>
      </Form>
    </FrontDoor>
  );
}
