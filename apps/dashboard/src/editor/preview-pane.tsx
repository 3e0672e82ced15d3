import { ActionIcon, Box, Group, SegmentedControl } from '@mantine/core';
import { IconExternalLink, IconX } from '@tabler/icons-react';
import { useWords } from '../words/words.tsx';
import { FilePreview } from './file-preview.tsx';
import { previewWords } from './preview.words.ts';
import { SitePreview } from './site-preview.tsx';

export type Previewed = 'file' | 'site';

type Props = Parameters<typeof FilePreview>[0] &
  Parameters<typeof SitePreview>[0] & {
    shown: Previewed;
    show: (what: Previewed | undefined) => void;
  };

/** Beside the editor: a preview of the open file, or the live site. */
export default function PreviewPane({ shown, show, project, deploying, ...file }: Props) {
  const words = useWords(previewWords);
  return (
    <Box component="aside" className="preview" aria-label={words.preview}>
      <Group gap="xs" px="xs" py={4} wrap="nowrap" style={{ borderBottom: '1px solid var(--surface-line)' }}>
        <SegmentedControl
          size="xs"
          aria-label={words.what}
          value={shown}
          onChange={(what) => show(what as Previewed)}
          data={[
            { value: 'file', label: words.file },
            { value: 'site', label: words.site },
          ]}
        />
        <Group gap={4} ml="auto" wrap="nowrap">
          {shown === 'site' && project.live_url && (
            <ActionIcon
              component="a"
              href={project.live_url}
              target="_blank"
              rel="noreferrer"
              variant="subtle"
              color="gray"
              aria-label={words.openSite}
            >
              <IconExternalLink size={16} />
            </ActionIcon>
          )}
          <ActionIcon variant="subtle" color="gray" onClick={() => show(undefined)} aria-label={words.hide}>
            <IconX size={16} />
          </ActionIcon>
        </Group>
      </Group>
      {shown === 'site' ? <SitePreview project={project} deploying={deploying} /> : <FilePreview {...file} />}
    </Box>
  );
}
