import './all-styles.ts';
import './palette.css';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useWords } from '../words/words.tsx';
import { palette, paletteStore } from './open-palette.ts';
import { PaletteContent } from './palette-content.tsx';
import { useRecentFiles } from './recent-files.ts';
import { shellWords } from './shell.words.ts';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';

/**
 * The command palette (Ctrl+K): it finds every screen, project and action and, in a project, everything that has a
 * name. Its content exists only while it is open, so nothing is requested before.
 */
export default function Palette() {
  const words = useWords(shellWords);
  const navigate = useNavigate();
  const recent = useRecentFiles();
  const [showsShortcuts, shortcuts] = useDisclosure();
  useHotkeys([
    ['g', () => void navigate({ to: '/projects' })],
    ['n', () => void navigate({ to: '/new' })],
    [',', () => void navigate({ to: '/settings/profile' })],
    ['shift+?', shortcuts.open],
  ]);
  return (
    <>
      <Spotlight.Root
        store={paletteStore}
        shortcut={null}
        centered={false}
        overlayProps={{ backgroundOpacity: 0.45 }}
        attributes={{ content: { 'aria-label': words.search } }}
      >
        <PaletteContent recent={recent} showShortcuts={shortcuts.open} close={palette.close} />
      </Spotlight.Root>
      <ShortcutsDialog isOpen={showsShortcuts} close={shortcuts.close} />
    </>
  );
}
