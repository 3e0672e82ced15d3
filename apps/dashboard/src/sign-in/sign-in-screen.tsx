import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ApiError, call } from '../api/client.ts';
import { authOptionsQuery } from '../api/session.ts';
import { Submit } from '../kit/form.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { useWords } from '../words/words.tsx';
import { useAfterSignIn } from './after-sign-in.ts';
import { EmailField } from './fields.tsx';
import { FrontDoor } from './front-door.tsx';
import { ResendLink } from './resend-link.tsx';
import { signInWords } from './sign-in.words.ts';
import { WaitingBehindLink } from './waiting.tsx';

const route = getRouteApi('/sign-in');

type Values = { email: string; password: string; code: string };

export function SignInScreen() {
  const words = useWords(signInWords);
  const { next, ended } = route.useSearch();
  const enter = useAfterSignIn(next);
  const { data: options } = useQuery(authOptionsQuery);
  const form = useForm<Values>({ initialValues: { email: '', password: '', code: '' } });
  const signIn = useMutation({
    mutationFn: ({ code, ...values }: Values) =>
      call('POST /auth/sign-in', { body: { ...values, ...(code.trim() && { code: code.trim() }) } }),
    onSuccess: enter,
  });
  const needsCode = asksForCode(signIn.error) || form.values.code !== '';
  // If the service asks for a code, that is the next step and not a failure.
  const error = asksForCode(signIn.error) && form.values.code === '' ? null : signIn.error;
  const sending = { error, isPending: signIn.isPending };
  const submit = form.onSubmit((values) => signIn.mutate(values));

  if (needsCode) {
    const startOver = () => {
      form.reset();
      signIn.reset();
    };
    return (
      <FrontDoor title={words.secondFactor} hint={words.codeHint}>
        <form onSubmit={submit}>
          <CodeFields form={form} sending={sending} startOver={startOver} />
        </form>
      </FrontDoor>
    );
  }
  const below = options?.sign_up && (
    <>
      {words.noAccount}{' '}
      <AnchorLink to="/sign-up" search={{ next }} underline="always">
        {words.signUp}
      </AnchorLink>
    </>
  );
  return (
    <FrontDoor
      title={words.signIn}
      {...(ended && { hint: words.ended })}
      above={<WaitingBehindLink next={next} />}
      below={below}
    >
      <form onSubmit={submit}>
        <Stack>
          <EmailField {...form.getInputProps('email')} />
          <PasswordInput
            label={words.password}
            autoComplete="current-password"
            required
            {...form.getInputProps('password')}
          />
          {sending.error instanceof ApiError && sending.error.status === 403 && (
            <ResendLink email={form.values.email} />
          )}
          <Submit sending={sending} at="stretch">
            {words.signIn}
          </Submit>
          <AnchorLink to="/forgot-password" size="sm" ta="center">
            {words.forgot}
          </AnchorLink>
        </Stack>
      </form>
    </FrontDoor>
  );
}

type CodeProps = {
  form: UseFormReturnType<Values>;
  sending: { error: unknown; isPending: boolean };
  startOver: () => void;
};

function CodeFields({ form, sending, startOver }: CodeProps) {
  const words = useWords(signInWords);
  return (
    <Stack>
      <TextInput
        label={words.code}
        autoComplete="one-time-code"
        inputMode="text"
        data-autofocus
        ref={(input) => input?.focus()}
        required
        {...form.getInputProps('code')}
      />
      <Submit sending={sending} at="stretch">
        {words.confirm}
      </Submit>
      <Button variant="subtle" onClick={startOver}>
        {words.otherAccount}
      </Button>
    </Stack>
  );
}

const asksForCode = (error: unknown): boolean =>
  error instanceof ApiError && 'second_factor_required' in error.details && !!error.details.second_factor_required;
