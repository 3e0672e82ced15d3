import type { CommitDetail } from '@bottega/contract';
import { Alert, Button, Code, Group, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { type Place, placeOf, projectQuery } from '../api/project.ts';
import { useRights } from '../api/rights.ts';
import { confirm } from '../kit/confirm.tsx';
import { DetailPage } from '../kit/detail-page.tsx';
import { AnchorLink, BackLink } from '../kit/links.tsx';
import { Content, useTitle } from '../kit/page.tsx';
import { toast, toastRefusal } from '../kit/toast.ts';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { ChangedFiles } from './changed-files.tsx';
import { historyWords } from './history.words.ts';
import { restoreFile } from './restore-file.ts';

const route = getRouteApi('/inside/projects/$projectId/history/$sha');
/** Number of diffs in the first request. The page preloads them with exactly this URL. */
const firstDiffs = 20;

export function CommitScreen() {
  const words = useWords(historyWords);
  const { projectId, sha } = route.useParams();
  const { ref } = route.useSearch();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const rights = useRights(project);
  const params = { project_id: projectId, sha };
  const queryKey = ['projects', projectId, 'commit', sha];
  const answer = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      call('GET /projects/{project_id}/commits/{sha}', { params, query: { diffs: firstDiffs }, signal }),
    // A commit never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
  useTitle(`${sha.slice(0, 8)} · ${project.name}`);
  const back = (
    <BackLink to="/projects/$projectId/history" params={{ projectId }} search={{ ref }}>
      {words.back}
    </BackLink>
  );
  return (
    <Content>
      <DetailPage back={back} answer={answer}>
        {(commit) => (
          <>
            <Heading commit={commit} />
            <ChangedFiles
              files={commit.files}
              read={(path) => ({
                queryKey: [...queryKey, path],
                queryFn: async ({ signal }) => {
                  const { files } = await call('GET /projects/{project_id}/commits/{sha}', {
                    params,
                    query: { path },
                    signal,
                  });
                  return files[0] ?? null;
                },
              })}
              actions={(file) => (
                <FileActions file={file} commit={commit} place={placeOf(projectId, ref)} canWrite={rights.write} />
              )}
            />
          </>
        )}
      </DetailPage>
    </Content>
  );
}

function Heading({ commit: { sha, message, author, committed_at: at, files, truncated } }: { commit: CommitDetail }) {
  const words = useWords(historyWords);
  const [subject = '', ...rest] = message.split('\n');
  const body = rest.join('\n').trim();
  return (
    <div>
      <Title order={2}>{subject}</Title>
      {body && (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
          {body}
        </Text>
      )}
      <Group gap="xs" mt={4}>
        <Text size="sm" c="dimmed">
          {words.by(author.name)}, <Ago at={at} />
        </Text>
        <Code>{sha.slice(0, 12)}</Code>
        <Text size="sm" c="dimmed">
          {truncated ? words.shown(files.length) : words.changed(files.length)}
        </Text>
      </Group>
      {truncated && (
        <Alert color="yellow" variant="light" mt="sm" py="xs" role="status">
          {words.truncated}
        </Alert>
      )}
    </div>
  );
}

type Props = { file: CommitDetail['files'][number]; commit: CommitDetail; place: Place; canWrite: boolean };

function FileActions({ file, commit, place, canWrite }: Props) {
  const { projectId, branch: ref } = place;
  const words = useWords(historyWords);
  const client = useQueryClient();
  const restore = useMutation({
    mutationFn: () => restoreFile(place, file, commit, words.message),
    onSuccess: async () => {
      toast(words.restored(file.path));
      await client.invalidateQueries({ queryKey: ['projects', projectId] });
    },
    onError: toastRefusal,
  });
  const ask = async () => {
    const question = { title: words.restoreTitle(file.path), hint: words.restoreHint, yes: words.restore };
    if (await confirm(question)) restore.mutate();
  };
  return (
    <>
      {canWrite && (
        <Button size="compact-xs" variant="default" onClick={ask} loading={restore.isPending}>
          {words.restore}
        </Button>
      )}
      <AnchorLink to="/projects/$projectId/files" params={{ projectId }} search={{ ref, path: file.path }} size="xs">
        {words.open}
      </AnchorLink>
    </>
  );
}
