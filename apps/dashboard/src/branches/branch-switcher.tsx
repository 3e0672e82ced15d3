import { Button, Menu, ScrollArea, TextInput } from '@mantine/core';
import { IconChevronDown, IconGitBranch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWords } from '../words/words.tsx';
import { branchesWords } from './branches.words.ts';
import { branchesQuery } from './branches-query.ts';

const mostShown = 50;

/** Shows the current branch and leads to the others: to their history from the history, otherwise to their files. */
export function BranchSwitcher({ projectId }: { projectId: string }) {
  const words = useWords(branchesWords);
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const current = 'ref' in search && typeof search.ref === 'string' ? search.ref : 'main';
  const [opened, setOpened] = useState(false);
  const [sought, setSought] = useState('');
  const branches = useQuery({ ...branchesQuery(projectId), enabled: opened });
  const found = (branches.data ?? []).filter(({ name }) => name.includes(sought.trim()));
  const show = (ref: string) => {
    const params = { projectId };
    if (pathname.endsWith('/history')) {
      void navigate({ to: '/projects/$projectId/history', params, search: ref === 'main' ? {} : { ref } });
    } else if (ref === 'main') void navigate({ to: '/projects/$projectId/files', params });
    else void navigate({ to: '/projects/$projectId/branches/files', params, search: { ref } });
  };
  return (
    <Menu opened={opened} onChange={setOpened} shadow="md" width={260} position="bottom-start">
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
        <ScrollArea.Autosize mah={320}>
          {found.slice(0, mostShown).map(({ name }) => (
            <Menu.Item
              key={name}
              onClick={() => show(name)}
              {...(name === current && { 'aria-current': true, fw: 700 })}
            >
              {name}
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
        <Menu.Divider />
        <Menu.Item onClick={() => void navigate({ to: '/projects/$projectId/branches', params: { projectId } })}>
          {words.all}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
