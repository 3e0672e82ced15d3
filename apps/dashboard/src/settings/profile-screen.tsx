import type { CurrentSession, PatchUser, User } from '@bottega/contract';
import { NativeSelect, SegmentedControl, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, call } from '../api/client.ts';
import { sessionKey, useSignedIn } from '../api/session.ts';
import { FormSection, Submit } from '../kit/form.tsx';
import { Section } from '../kit/page.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';
import { languageOf, languages } from '../words/languages.ts';
import { useWords } from '../words/words.tsx';
import { settingsWords } from './settings.words.ts';

export function ProfileScreen() {
  const { user } = useSignedIn();
  return (
    <>
      <Profile user={user} />
      <Preferences user={user} />
    </>
  );
}

/** Updates the user in the cache. The session contains the user too, so it is also updated. */
function useUserKept(): (user: User) => void {
  const client = useQueryClient();
  return (user) =>
    client.setQueryData<CurrentSession | null>(sessionKey, (session) => (session ? { ...session, user } : session));
}

const drawn = /\/avatars\/usr_[a-z0-9]+\.svg$/;

function Profile({ user }: { user: User }) {
  const words = useWords(settingsWords);
  const keep = useUserKept();
  const form = useForm({
    initialValues: {
      name: user.name,
      username: user.username,
      avatar_url: drawn.test(user.avatar_url) ? '' : user.avatar_url,
    },
  });
  const save = useMutation({
    mutationFn: (values: typeof form.values) =>
      call('PATCH /user', { body: { ...values, avatar_url: values.avatar_url.trim() || null } }),
    onSuccess: (changed, values) => {
      keep(changed);
      form.resetDirty(values);
      toast(words.saved);
    },
    onError: (error) => error instanceof ApiError && form.setErrors(error.fields),
  });
  return (
    <FormSection title={words.profile} maw={480} onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <TextInput label={words.name} required maxLength={100} autoComplete="name" {...form.getInputProps('name')} />
      <TextInput
        label={words.username}
        description={words.usernameHint}
        required
        maxLength={39}
        autoComplete="off"
        {...form.getInputProps('username')}
      />
      <TextInput
        label={words.picture}
        description={words.pictureHint}
        type="url"
        placeholder="https://"
        {...form.getInputProps('avatar_url')}
      />
      <Text size="sm" c="dimmed">
        {words.email}: {user.email}
      </Text>
      <Submit sending={save} disabled={!form.isDirty()}>
        {words.save}
      </Submit>
    </FormSection>
  );
}

function Preferences({ user }: { user: User }) {
  const words = useWords(settingsWords);
  const keep = useUserKept();
  const { theme, language, notifications } = user.preferences;
  const change = useMutation({
    mutationFn: (preferences: NonNullable<PatchUser['preferences']>) => call('PATCH /user', { body: { preferences } }),
    // Shows the change immediately, and the old value again if the service refuses.
    onMutate: ({ notifications: wanted, ...rest }) => {
      keep({
        ...user,
        preferences: { ...user.preferences, ...rest, notifications: { ...notifications, ...wanted } },
      } as User);
      return user;
    },
    onSuccess: keep,
    // When the service refuses, `user` already contains the change.
    onError: (error, _wanted, before = user) => {
      keep(before);
      toastRefusal(error);
    },
  });
  return (
    <Section title={words.preferences}>
      <Stack maw={480}>
        <Stack gap={4}>
          <Text size="sm" fw={500} id="theme-label">
            {words.theme}
          </Text>
          <SegmentedControl
            aria-labelledby="theme-label"
            value={theme}
            onChange={(value) => change.mutate({ theme: value as typeof theme })}
            data={(['light', 'dark', 'system'] as const).map((value) => ({ value, label: words[value] }))}
          />
        </Stack>
        <NativeSelect
          label={words.language}
          value={languageOf(language)}
          onChange={(event) => change.mutate({ language: event.currentTarget.value })}
          data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
        />
        <Switch
          label={words.mail}
          checked={notifications.email}
          onChange={(event) => change.mutate({ notifications: { email: event.currentTarget.checked } })}
        />
      </Stack>
    </Section>
  );
}
