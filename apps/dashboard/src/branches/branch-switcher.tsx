import type { ProjectDetail } from '@bottega/contract';
import { Box, Button, Menu, TextInput } from '@mantine/core';
import { IconChevronDown, IconGitBranch } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { filesQuery, type Place, placeOf } from '../api/project.ts';
import { useRights } from '../api/rights.ts';
import { carryOpenDrafts } from '../editor/use-drafts.ts';
import { openDialog } from '../kit/dialog.ts';
import { useWords } from '../words/words.tsx';
import { branchesWords } from './branches.words.ts';
import { branchesQuery } from './branches-query.ts';
import { NewBranchHere } from './new-branch-here.tsx';
import { useShownRef } from './shown-ref.ts';

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
  const [opened, setOpened] = useState(false);
  const [sought, setSought] = useState('');
  const branches = useQuery({ ...branchesQuery(projectId), enabled: opened });
  const matching = (branches.data ?? []).filter(({ name }) => name.includes(sought.trim()));
  // If somebody has deleted the branch, its unsaved text can still be saved on a new branch.
  const isDeleted = branches.data?.every(({ name }) => name !== current) ?? false;
  const from = isDeleted ? 'main' : current;
  const startBranch = () => {
    const created = (name: string) => {
      dialog.close();
      return show(name, carryOpenDrafts);
    };
    const form = <NewBranchHere projectId={projectId} from={from} created={created} />;
    const dialog = openDialog({ title: words.newFrom(from), children: form });
  };
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
        {isWorkbench && rights.write && <Menu.Item onClick={startBranch}>{words.newHere}</Menu.Item>}
        <Menu.Item onClick={() => void navigate({ to: '/projects/$projectId/branches', params: { projectId } })}>
          {words.all}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/**
 * Goes to another branch. The workbench keeps its file open if the other branch has it too. `leave` is called right
 * before the workbench closes.
 */
function useShowing(projectId: string, current: string) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { pathname, search } = useLocation();
  const open = 'path' in search ? search.path : undefined;
  const run = 'run' in search ? search.run : undefined;
  const params = { projectId };
  return async (name: string, leave?: (to: Place) => Promise<void>): Promise<void> => {
    const place = placeOf(projectId, name);
    const ref = place.branch;
    if (pathname.endsWith('/history')) return navigate({ to: '/projects/$projectId/history', params, search: { ref } });
    const isWorkbench = pathname.endsWith('/files');
    if (isWorkbench && name === current) return;
    const files = isWorkbench && open ? await client.ensureQueryData(filesQuery(place)).catch(() => []) : [];
    const path = files.find((file) => file.path === open)?.path;
    await leave?.(place);
    await navigate({ to: '/projects/$projectId/files', params, search: { ref, path, run } });
  };
}
