import '../shell/all-styles.ts';
import type { ProjectDetail } from '@bottega/contract';
import { Button, Popover, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { linkTo } from '../api/client.ts';
import { useShownRef } from '../branches/shown-ref.ts';
import { CopyLine } from '../kit/copy-line.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { useWords } from '../words/words.tsx';
import { projectWords } from './project.words.ts';

export { BranchSwitcher } from '../branches/branch-switcher.tsx';

/** Shows how to get the files of the project: with git, or as an archive. */
export function CloneButton({ project }: { project: ProjectDetail }) {
  const words = useWords(projectWords);
  const ref = useShownRef();
  const archive = linkTo('GET /projects/{project_id}/archive', { params: { project_id: project.id }, query: { ref } });
  return (
    <Popover position="bottom-end" width={360} trapFocus shadow="md">
      <Popover.Target>
        <Button size="xs" variant="default" leftSection={<IconDownload size={14} aria-hidden />}>
          {project.settings.version_control ? words.clone : words.download}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs" align="flex-start">
          {project.settings.version_control && (
            <>
              <CopyLine label={words.address} value={`${window.location.origin}/git/${project.id}.git`} />
              <Text size="xs" c="dimmed">
                {words.cloneHint}
              </Text>
              <AnchorLink to="/settings/keys" size="sm">
                {words.makeKey}
              </AnchorLink>
            </>
          )}
          <Button component="a" href={archive} download size="xs" variant="default">
            {words.archive}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
