import type { File } from '@bottega/contract';
import { Box } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import type { Place } from '../api/project.ts';
import { Markdown } from '../kit/markdown.tsx';
import { useWords } from '../words/words.tsx';
import { contentLink } from './file-content.ts';
import { HtmlPreview } from './html-preview.tsx';
import { NoFileOpen } from './no-file-open.tsx';
import { previewWords } from './preview.words.ts';
import { previewKindOf } from './preview-kind.ts';
import type { Tab } from './tabs.ts';

type Props = { place: Place; files: readonly File[]; tabs: Tab[]; tab: Tab | undefined };

export function FilePreview({ place, files, tabs, tab }: Props) {
  const words = useWords(previewWords);
  const kind = tab && previewKindOf(tab.path);
  if (!tab || !kind) return <NoFileOpen title={words.noPreview} hint={words.noPreviewHint} />;
  if (kind === 'markdown') return <MarkdownPreview {...{ place, files, tab }} />;
  if (kind === 'html') return <HtmlPreview {...{ place, files, tabs, tab }} />;
  return (
    <Box p="md" ta="center" style={{ overflow: 'auto' }}>
      {/* As a picture, an SVG runs no scripts and loads nothing. */}
      <img
        src={`data:image/svg+xml,${encodeURIComponent(tab.draft)}`}
        alt={words.of(tab.path)}
        className="preview-picture"
      />
    </Box>
  );
}

function MarkdownPreview({ place, files, tab }: Pick<Props, 'place' | 'files'> & { tab: Tab }) {
  const router = useRouter();
  const { projectId, branch: ref } = place;
  const fileAt = (path: string) => files.find((file) => file.path === path && file.type === 'file');
  return (
    <Box p="md" style={{ overflow: 'auto' }}>
      <Markdown
        text={tab.draft}
        path={tab.path}
        fileLink={(path) =>
          fileAt(path) &&
          router.buildLocation({ to: '/projects/$projectId/files', params: { projectId }, search: { ref, path } }).href
        }
        pictureLink={(path) => {
          const file = fileAt(path);
          return file && contentLink(place, file.id);
        }}
      />
    </Box>
  );
}
