import type { SignUp } from '@bottega/contract';
import { Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ApiError, call } from '../api/client.ts';
import { authOptionsQuery } from '../api/session.ts';
import { Submit } from '../kit/form.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { useWords } from '../words/words.tsx';
import { useAfterSignIn } from './after-sign-in.ts';
import { EmailField, NewPasswordField } from './fields.tsx';
import { FrontDoor } from './front-door.tsx';
import { ResendLink } from './resend-link.tsx';
import { signInWords } from './sign-in.words.ts';
import { WaitingBehindLink } from './waiting.tsx';

const route = getRouteApi('/sign-up');

export function SignUpScreen() {
  const words = useWords(signInWords);
  const { next } = route.useSearch();
  // A new user has no projects, so the list of projects would be empty.
  const enter = useAfterSignIn(next === '/projects' ? undefined : next, '/welcome');
  const { data: options } = useQuery(authOptionsQuery);
  const form = useForm<SignUp>({ initialValues: { name: '', email: '', password: '' } });
  const signUp = useMutation({
    mutationFn: (body: SignUp) => call('POST /auth/sign-up', { body }),
    onSuccess: ({ session }) => session && enter(session),
    onError: (error) => error instanceof ApiError && form.setErrors(error.fields),
  });
  const below = (
    <>
      {words.haveAccount}{' '}
      <AnchorLink to="/sign-in" search={{ next }} underline="always">
        {words.signIn}
      </AnchorLink>
    </>
  );

  if (options && !options.sign_up) {
    return (
      <FrontDoor title={words.signUp} below={below}>
        <Text size="sm">{words.closed}</Text>
      </FrontDoor>
    );
  }
  if (signUp.data?.verification_required) {
    return (
      <FrontDoor title={words.sent} hint={words.sentVerification(signUp.data.email)} below={below}>
        <ResendLink email={signUp.data.email} />
      </FrontDoor>
    );
  }
  return (
    <FrontDoor title={words.signUp} above={<WaitingBehindLink next={next} />} below={below}>
      <form onSubmit={form.onSubmit((values) => signUp.mutate(values))}>
        <Stack>
          <TextInput label={words.name} autoComplete="name" required {...form.getInputProps('name')} />
          <EmailField {...form.getInputProps('email')} />
          <NewPasswordField {...form.getInputProps('password')} />
          <Submit sending={signUp} at="stretch">
            {words.signUp}
          </Submit>
        </Stack>
      </form>
    </FrontDoor>
  );
}
