import { Container, Stack, Text, Title } from '@mantine/core';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { ApiError } from '../api/client.ts';
import { useWords } from '../words/words.tsx';
import { kitWords } from './kit.words.ts';
import { ButtonLink } from './links.tsx';
import { Refusal } from './refusal.tsx';

export function ErrorScreen({ error }: { error: unknown }) {
  const words = useWords(kitWords);
  const router = useRouter();
  const { reset } = useQueryErrorResetBoundary();
  if (error instanceof ApiError && error.status === 404) return <NotFoundScreen />;
  const retry = () => {
    reset();
    router.invalidate();
  };
  return (
    <Container size="sm" py="xl">
      <Title order={1} mb="md">
        {words.failed}
      </Title>
      <Refusal error={error} retry={retry} />
    </Container>
  );
}

export function NotFoundScreen() {
  const words = useWords(kitWords);
  return (
    <Container size="sm" py="xl">
      <Stack align="flex-start">
        <Title order={1}>{words.notFound}</Title>
        <Text c="dimmed">{words.notFoundHint}</Text>
        <ButtonLink to="/projects">{words.toProjects}</ButtonLink>
      </Stack>
    </Container>
  );
}
