import type { ProjectDetail } from '@bottega/contract';
import { ActionIcon, Box, Group, SegmentedControl, Tooltip } from '@mantine/core';
import { IconExternalLink, IconRefresh, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { branchPreviewsQuery } from '../deployments/deployments-query.ts';
import { PortPreview } from '../run/port-preview.tsx';
import { useShownPort } from '../run/use-shown-port.ts';
import { useWords } from '../words/words.tsx';
import { FilePreview } from './file-preview.tsx';
import { previewWords } from './preview.words.ts';
import { type Previewed, portOf } from './previewed.ts';
import { SitePreview } from './site-preview.tsx';

type Props = Parameters<typeof FilePreview>[0] &
  Omit<Parameters<typeof SitePreview>[0], 'site'> & {
    project: ProjectDetail;
    shown: Previewed;
    canWrite: boolean;
    canRun: boolean;
    show: (what: Previewed | undefined) => void;
  };

/**
 * Shown next to the editor: a preview of the open file, the site of the branch, or a port of the branch's workspace. On
 * main, the site is the live site. On another branch, it is the preview of the branch.
 */
export default function PreviewPane({ shown, show, project, deploying, canWrite, canRun, ...file }: Props) {
  const words = useWords(previewWords);
  const { place } = file;
  const [round, setRound] = useState(0);
  const port = useShownPort(place, { wanted: portOf(shown), canRun });
  const { data: previews } = useQuery({
    ...branchPreviewsQuery(place.projectId, place.branch ?? ''),
    enabled: place.branch !== undefined && shown === 'site',
  });
  const site = place.branch === undefined ? project.live_url : previews?.served?.branch_url;
  const address = shown === 'site' ? site : portOf(shown) !== null && port?.url;
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
            ...(port ? [{ value: `port-${port.port}`, label: words.port(port.port) }] : []),
          ]}
        />
        <Group gap={4} ml="auto" wrap="nowrap">
          {portOf(shown) !== null && (
            <Tooltip label={words.reload}>
              <ActionIcon
                variant="subtle"
                color="gray"
                onClick={() => setRound((now) => now + 1)}
                aria-label={words.reload}
              >
                <IconRefresh size={16} />
              </ActionIcon>
            </Tooltip>
          )}
          {address && (
            <ActionIcon
              component="a"
              href={address}
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
      {shown === 'site' && <SitePreview {...{ place, site, deploying }} />}
      {shown === 'file' && <FilePreview {...file} />}
      {port && portOf(shown) !== null && <PortPreview port={port.port} {...{ place, canWrite, round }} />}
    </Box>
  );
}
