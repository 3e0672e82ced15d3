import './branches.css';
import type { File } from '@bottega/contract';
import { Alert, Anchor, Box, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { callRaw, linkTo } from '../api/client.ts';
import { projectQuery } from '../api/project.ts';
import { AnchorLink } from '../kit/links.tsx';
import { Loading } from '../kit/loading.tsx';
import { useTitle } from '../kit/page.tsx';
import { ItemList } from '../kit/paged-list.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { branchesWords } from './branches.words.ts';
import { filesAtQuery } from './branches-query.ts';

const CodePane = lazy(() => import('./code-pane.tsx'));
const route = getRouteApi('/inside/projects/$projectId/branches/files');
const mostShown = 300;
const largestText = 2 * 1024 * 1024;

/** The files of another branch, which are read-only here and written by git. */
export function BranchFilesScreen() {
  const words = useWords(branchesWords);
  const { projectId } = route.useParams();
  const { ref = 'main', path } = route.useSearch();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const files = useQuery(filesAtQuery(projectId, ref));
  const current = files.data?.find((file) => file.path === path);
  useTitle(`${path ?? ref} · ${project.name}`);
  return (
    <Stack gap={0} flex={1} mih={0}>
      <Alert variant="light" radius={0} py={8}>
        <Group gap="sm">
          <Text size="sm">{words.readOnly(ref)}</Text>
          <AnchorLink
            to="/projects/$projectId/branches/compare"
            params={{ projectId }}
            search={{ base: 'main', head: ref }}
            size="sm"
          >
            {words.compare}
          </AnchorLink>
        </Group>
      </Alert>
      <Box className="branch-files">
        <Box p="sm">
          <ItemList answer={files} items={files.data} none={{ title: words.noFiles, hint: words.noFilesHint }}>
            {(all) => <FileList files={all} projectId={projectId} branch={ref} current={path} />}
          </ItemList>
        </Box>
        {current ? (
          <FileText key={current.id} file={current} projectId={projectId} branch={ref} />
        ) : (
          <Text p="md" c="dimmed" size="sm">
            {words.noneChosen}
          </Text>
        )}
      </Box>
    </Stack>
  );
}

type ListProps = { files: readonly File[]; projectId: string; branch: string; current: string | undefined };

function FileList({ files, projectId, branch, current }: ListProps) {
  const words = useWords(branchesWords);
  const [sought, setSought] = useState('');
  const found = files.filter(({ path }) => path.toLowerCase().includes(sought.trim().toLowerCase()));
  const shown = found.slice(0, mostShown);
  return (
    <Stack gap={4}>
      <TextInput
        size="xs"
        aria-label={words.filter}
        placeholder={words.filter}
        value={sought}
        onChange={(event) => setSought(event.currentTarget.value)}
      />
      {shown.map(({ path }) => (
        <AnchorLink
          key={path}
          to="/projects/$projectId/branches/files"
          params={{ projectId }}
          search={{ ref: branch, path }}
          size="sm"
          style={{ overflowWrap: 'anywhere' }}
          {...(path === current && { fw: 700, 'aria-current': 'page' as const })}
        >
          {path.slice(1)}
        </AnchorLink>
      ))}
      {found.length > shown.length && (
        <Text size="xs" c="dimmed" role="status">
          {words.someFiles(shown.length, found.length)}
        </Text>
      )}
    </Stack>
  );
}

const content = 'GET /projects/{project_id}/files/{file_id}/content';

function FileText({ file, projectId, branch }: { file: File; projectId: string; branch: string }) {
  const words = useWords(branchesWords);
  const params = { project_id: projectId, file_id: file.id };
  const isShort = (file.size ?? 0) <= largestText;
  const text = useQuery({
    queryKey: ['projects', projectId, 'content', file.id, { branch, checksum: file.checksum }],
    queryFn: async ({ signal }) => (await callRaw(content, { params, query: { ref: branch }, signal })).text(),
    enabled: isShort,
  });
  const isText = isShort && !text.data?.includes('\0') && !text.data?.includes('\ufffd');
  return (
    <Stack gap={0} mih={0} className="branch-file" component="section" aria-label={file.path}>
      <Group px="sm" py={6} justify="space-between">
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {file.path}
        </Text>
        <Anchor href={linkTo(content, { params, query: { ref: branch, download: true } })} size="sm" download>
          {words.download}
        </Anchor>
      </Group>
      <Refusal error={text.error} retry={text.refetch} />
      {isText && text.isPending && <Loading lines={4} />}
      {isText && text.data !== undefined && <CodePane path={file.path} label={file.path} text={text.data} />}
      {!isText && (
        <Text p="sm" size="sm" c="dimmed">
          {words.notText}
        </Text>
      )}
    </Stack>
  );
}
