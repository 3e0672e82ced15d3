import { Box } from '@mantine/core';
import { Markdown } from '../kit/markdown.tsx';

type Props = { text: string; projectId: string };

/** What somebody wrote about a request. Its relative links lead to files of the project. */
export function RequestMarkdown({ text, projectId }: Props) {
  return (
    <Box fz="sm">
      <Markdown
        text={text}
        path="/"
        fileLink={(path) => `/projects/${projectId}/files?path=${encodeURIComponent(path)}`}
        pictureLink={() => undefined}
        showsMentions
      />
    </Box>
  );
}
