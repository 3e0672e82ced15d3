import type { File } from '@bottega/contract';
import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { contentLink, readText } from '../editor/file-content.ts';
import { Card } from '../kit/card.tsx';
import { ButtonLink } from '../kit/links.tsx';
import { Loading } from '../kit/loading.tsx';
import { expectMarkdown, Markdown } from '../kit/markdown.tsx';
import { Empty } from '../kit/page.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { overviewWords } from './overview.words.ts';

/** Largest README that is shown, in bytes; longer ones open in the editor. */
const largestShown = 512 * 1024;

// Most projects have a README. Its parser is requested before the data of the overview, which would keep all
// connections of the browser busy.
const parser = expectMarkdown();

type Props = { projectId: string; files: File[]; canWrite: boolean };

/** The project's README. */
export function Readme({ projectId, files, canWrite }: Props) {
  const words = useWords(overviewWords);
  const file = files.find(
    ({ path, size }) => /^\/readme(\.md|\.markdown)?$/i.test(path) && (size ?? 0) <= largestShown,
  );
  if (file) return <Document projectId={projectId} file={file} files={files} />;
  return (
    <Empty title={words.noReadme} hint={words.noReadmeHint}>
      <ButtonLink to="/projects/$projectId/files" params={{ projectId }} variant="default">
        {canWrite ? words.writeReadme : words.openFiles}
      </ButtonLink>
    </Empty>
  );
}

function Document({ projectId, file, files }: { projectId: string; file: File; files: File[] }) {
  const words = useWords(overviewWords);
  const answer = useQuery({
    queryKey: ['projects', projectId, 'files', 'readme', file.checksum],
    queryFn: async ({ signal }) => {
      const [text] = await Promise.all([readText({ projectId }, file.id, signal), parser]);
      return text;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const picture = (path: string) => files.find((one) => one.path === path);
  return (
    <Card
      title={file.name}
      action={{ to: '/projects/$projectId/files', params: { projectId }, search: { path: file.path } }}
      actionWord={words.open}
    >
      <Refusal error={answer.error} retry={answer.refetch} />
      {answer.isPending && <Loading />}
      {answer.data && (
        <Box className="document">
          <Markdown
            text={answer.data.text}
            path={file.path}
            fileLink={(path) => `/projects/${projectId}/files?path=${encodeURIComponent(path)}`}
            pictureLink={(path) => {
              const found = picture(path);
              return found && contentLink({ projectId }, found.id);
            }}
          />
        </Box>
      )}
    </Card>
  );
}
