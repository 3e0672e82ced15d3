import type { ProjectDetail } from '@bottega/contract';
import { ActionIcon, Box, Group, SegmentedControl } from '@mantine/core';
import { IconExternalLink, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { branchPreviewQuery } from '../deployments/deployments-query.ts';
import { useWords } from '../words/words.tsx';
import { FilePreview } from './file-preview.tsx';
import { previewWords } from './preview.words.ts';
import { SitePreview } from './site-preview.tsx';

export type Previewed = 'file' | 'site';

type Props = Parameters<typeof FilePreview>[0] &
  Omit<Parameters<typeof SitePreview>[0], 'site'> & {
    project: ProjectDetail;
    shown: Previewed;
    show: (what: Previewed | undefined) => void;
  };

/** Beside the editor: a preview of the open file, or the live site, of which another branch has its own. */
export default function PreviewPane({ shown, show, project, deploying, ...file }: Props) {
  const words = useWords(previewWords);
  const { place } = file;
  const { data: preview } = useQuery({
    ...branchPreviewQuery(place.projectId, place.branch ?? ''),
    enabled: place.branch !== undefined && shown === 'site',
  });
  const site = place.branch === undefined ? project.live_url : preview?.branch_url;
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
          {shown === 'site' && site && (
            <ActionIcon
              component="a"
              href={site}
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
      {shown === 'site' ? <SitePreview {...{ place, site, deploying }} /> : <FilePreview {...file} />}
    </Box>
  );
}
