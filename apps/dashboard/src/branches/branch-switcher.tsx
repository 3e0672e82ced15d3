import type { ProjectDetail } from '@bottega/contract';
import { Box, Button, Menu, TextInput } from '@mantine/core';
import { IconChevronDown, IconGitBranch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRights } from '../api/rights.ts';
import { useWords } from '../words/words.tsx';
import { branchesWords } from './branches.words.ts';
import { branchesQuery } from './branches-query.ts';
import { useShownRef } from './shown-ref.ts';
import { useShowing, useStartBranch } from './start-branch.tsx';

const maxShown = 50;

/**
 * Shows the current branch and links to the others. On the history screen, it links to their history, otherwise to
 * their files.
 */
export function BranchSwitcher({ project }: { project: ProjectDetail }) {
  const words = useWords(branchesWords);
  const { id: projectId } = project;
  const rights = useRights(project);
  const navigate = useNavigate();
  const isWorkbench = useLocation().pathname.endsWith('/files');
  const current = useShownRef() ?? 'main';
  const show = useShowing(projectId, current);
  const startBranch = useStartBranch(projectId, current);
  const [opened, setOpened] = useState(false);
  const [sought, setSought] = useState('');
  const branches = useQuery({ ...branchesQuery(projectId), enabled: opened });
  const matching = (branches.data ?? []).filter(({ name }) => name.includes(sought.trim()));
  // If somebody has deleted the branch, its unsaved text can still be saved on a new branch.
  const isDeleted = branches.data?.every(({ name }) => name !== current) ?? false;
  const from = isDeleted ? 'main' : current;
  return (
    <Menu
      opened={opened}
      onChange={setOpened}
      shadow="md"
      width={260}
      position="bottom-start"
      // A menu must contain nothing focusable except its items.
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          maw={220}
          aria-label={words.switcher(current)}
          leftSection={<IconGitBranch size={14} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {current}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(branches.data?.length ?? 0) > 8 && (
          <TextInput
            aria-label={words.find}
            placeholder={words.find}
            value={sought}
            size="xs"
            mb={4}
            onChange={(event) => setSought(event.currentTarget.value)}
          />
        )}
        <Box mah={320} style={{ overflowY: 'auto' }}>
          {matching.slice(0, maxShown).map(({ name }) => (
            <Menu.Item
              key={name}
              onClick={() => void show(name)}
              {...(name === current && { 'aria-current': true, fw: 700 })}
            >
              {name}
            </Menu.Item>
          ))}
        </Box>
        <Menu.Divider />
        {isWorkbench && rights.write && <Menu.Item onClick={() => startBranch({ from })}>{words.newHere}</Menu.Item>}
        <Menu.Item onClick={() => void navigate({ to: '/projects/$projectId/branches', params: { projectId } })}>
          {words.all}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
