import '../shell/all-styles.ts';
import type { ProjectDetail } from '@bottega/contract';
import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call, once } from '../api/client.ts';
import { Card } from '../kit/card.tsx';
import { CopyLine } from '../kit/copy-line.tsx';
import { ButtonLink } from '../kit/links.tsx';
import { Empty } from '../kit/page.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { overviewWords } from './overview.words.ts';

const monthLength = 30 * 86_400_000;

type Props = { project: ProjectDetail; canWrite: boolean };

/** Shown for a project without files. The user can create a first file here, or push an existing repository. */
export function FirstSteps({ project, canWrite }: Props) {
  const words = useWords(overviewWords);
  if (!canWrite) return <Empty title={words.nothingYet} hint={words.nothingYetHint} />;
  return (
    <Stack>
      <Empty title={words.nothingYet} hint={words.beginHint}>
        <ButtonLink to="/projects/$projectId/files" params={{ projectId: project.id }}>
          {words.begin}
        </ButtonLink>
      </Empty>
      {project.settings.version_control && <ByGit project={project} />}
    </Stack>
  );
}

/** The key is part of the commands and is not shown again. A user who leaves this screen has to create another key. */
function ByGit({ project: { id, name } }: { project: ProjectDetail }) {
  const words = useWords(overviewWords);
  const key = useMutation({
    mutationFn: () =>
      call('POST /user/api-keys', {
        body: {
          name: words.keyName(name).slice(0, 100),
          scopes: ['read:files', 'write:files'],
          expires_at: new Date(Date.now() + monthLength).toISOString(),
        },
        ...once(),
      }),
  });
  const { protocol, host } = window.location;
  const address = `${protocol}//${key.data ? `git:${key.data.key}@` : ''}${host}/git/${id}.git`;
  return (
    <Card title={words.byGit}>
      <Stack gap="xs">
        <CopyLine label={words.setRemote} value={`git remote add bottega ${address}`} isNamed />
        <CopyLine label={words.push} value="git push -u bottega HEAD:main" isNamed />
        <CopyLine label={words.clone} value={`git clone ${address}`} isNamed />
        <Refusal error={key.error} />
        {key.data ? (
          <Text size="sm" role="status">
            {words.keyMade}
          </Text>
        ) : (
          <Button variant="default" onClick={() => key.mutate()} loading={key.isPending} style={{ alignSelf: 'start' }}>
            {words.makeKey}
          </Button>
        )}
      </Stack>
    </Card>
  );
}
