import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from '@mantine/core';
import { useWords } from '../words/words.tsx';
import { signInWords } from './sign-in.words.ts';

export function EmailField(props: TextInputProps) {
  const words = useWords(signInWords);
  return <TextInput label={words.email} type="email" autoComplete="username" required {...props} />;
}

export function NewPasswordField(props: PasswordInputProps) {
  const words = useWords(signInWords);
  return (
    <PasswordInput
      label={words.password}
      description={words.passwordHint}
      autoComplete="new-password"
      minLength={8}
      required
      {...props}
    />
  );
}
