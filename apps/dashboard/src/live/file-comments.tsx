import type { ProjectDetail } from '@bottega/contract';
import { Divider, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Place } from '../api/project.ts';
import { useRights } from '../api/rights.ts';
import { useSignedIn } from '../api/session.ts';
import { useWords } from '../words/words.tsx';
import { fileCommentsQuery, openCommentsQuery, projectBook } from './comment-book.ts';
import { commentWords } from './comments.words.ts';
import { CommentsPanel } from './comments-panel.tsx';
import { shownEditor } from './editor-handle.ts';
import { SidePanel } from './side-panel.tsx';

type Props = {
  project: ProjectDetail;
  place: Place;
  path: string | undefined;
  open: (path: string, line: number) => void;
  close: () => void;
};

/** Shown next to the editor, without a session: the comments on the file, and open comments on other files. */
export default function FileComments({ project, place, path, open, close }: Props) {
  const words = useWords(commentWords);
  const { user } = useSignedIn();
  const book = projectBook(place, { userId: user.id, rights: useRights(project) });
  const comments = useQuery({ ...fileCommentsQuery(place, path ?? ''), enabled: path !== undefined });
  return (
    <SidePanel title={words.title} close={close}>
      <Stack gap="sm">
        <CommentsPanel book={book} comments={comments} path={path} editor={shownEditor} chosen={null} asked={0} />
        <OpenElsewhere {...{ place, path, open }} />
      </Stack>
    </SidePanel>
  );
}

function OpenElsewhere({ place, path, open }: Omit<Props, 'project' | 'close'>) {
  const words = useWords(commentWords);
  const { data = [] } = useQuery(openCommentsQuery(place));
  const others = data.filter((comment) => comment.file_path !== path);
  if (others.length === 0) return null;
  return (
    <>
      <Divider />
      <Text size="sm" fw={600}>
        {words.elsewhere(others.length)}
      </Text>
      {others.map(({ id, file_path: file, position, author, content }) => (
        <UnstyledButton key={id} onClick={() => open(file, position.line)}>
          <Group gap={4} wrap="nowrap" justify="space-between">
            <Text size="xs" ff="monospace" truncate>
              {file}:{position.line}
            </Text>
            <Text size="xs" c="dimmed" truncate>
              {author.name}
            </Text>
          </Group>
          <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
            {content}
          </Text>
        </UnstyledButton>
      ))}
    </>
  );
}
