import './all-styles.ts';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWords } from '../words/words.tsx';
import { paletteStore } from './open-palette.ts';
import { usePaletteGroups } from './palette-groups.tsx';
import { shellWords } from './shell.words.ts';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';

/** The command palette (Ctrl+K): every screen, every project, and frequent actions. */
export default function Palette() {
  const words = useWords(shellWords);
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [showsShortcuts, shortcuts] = useDisclosure();
  useHotkeys([
    ['g', () => void navigate({ to: '/projects' })],
    ['n', () => void navigate({ to: '/new' })],
    [',', () => void navigate({ to: '/settings/profile' })],
    ['shift+?', shortcuts.open],
  ]);
  const groups = usePaletteGroups(typed, shortcuts.open);
  return (
    <>
      <Spotlight
        store={paletteStore}
        shortcut={null}
        actions={groups.filter(({ actions }) => actions.length > 0)}
        query={typed}
        onQueryChange={setTyped}
        // The service has already searched; filtering its answer again would hide matches in the description.
        filter={(_query, actions) => actions}
        nothingFound={words.nothingFound}
        attributes={{ content: { 'aria-label': words.search } }}
        scrollable
        maxHeight={420}
        searchProps={{
          leftSection: <IconSearch size={18} />,
          placeholder: words.search,
          'aria-label': words.search,
        }}
      />
      <ShortcutsDialog isOpen={showsShortcuts} close={shortcuts.close} />
    </>
  );
}
