import { Stack, Text, Title } from '@mantine/core';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useWords } from '../words/words.tsx';
import { kitWords } from './kit.words.ts';
import { ButtonLink } from './links.tsx';
import { Content, Empty } from './page.tsx';
import { isNotFound, Refusal } from './refusal.tsx';

export function ErrorScreen({ error }: { error: unknown }) {
  const words = useWords(kitWords);
  const router = useRouter();
  const { reset } = useQueryErrorResetBoundary();
  if (isNotFound(error)) return <NotFoundScreen />;
  const retry = () => {
    reset();
    router.invalidate();
  };
  return (
    <Content width="text">
      <Title order={1} mb="md">
        {words.failed}
      </Title>
      <Refusal error={error} retry={retry} />
    </Content>
  );
}

export function NotFoundScreen() {
  const words = useWords(kitWords);
  return (
    <Content width="text">
      <Stack align="flex-start">
        <Title order={1}>{words.notFound}</Title>
        <Text c="dimmed">{words.notFoundHint}</Text>
        <ButtonLink to="/projects">{words.toProjects}</ButtonLink>
      </Stack>
    </Content>
  );
}

/** A page that offers no action except to leave it. */
export function DeadEnd({ title, hint }: { title: string; hint: string }) {
  const words = useWords(kitWords);
  return (
    <Empty title={title} hint={hint}>
      <ButtonLink to="/projects" variant="default">
        {words.toProjects}
      </ButtonLink>
    </Empty>
  );
}
