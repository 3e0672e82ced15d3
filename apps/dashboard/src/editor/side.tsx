import { ActionIcon, Box, Drawer, Tooltip } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconLayoutSidebar } from '@tabler/icons-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';

/**
 * Where the tree is shown: in a column next to the editor or, on a phone, in a drawer, because the editor needs the
 * whole screen.
 */
export type Side = {
  isDrawer: boolean;
  /** On a phone, the tree itself is shown while no file is open. */
  isInPlace: boolean;
  isShown: boolean;
  show: () => void;
  hide: () => void;
  /** The folder that the user looks for in the tree. */
  sought: { path: string } | undefined;
  seek: (path: string) => void;
};

export function useSide(path: string | undefined): Side {
  // The same width as in code.css.
  const isDrawer = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const [isShown, { open: show, close }] = useDisclosure();
  const [sought, setSought] = useState<{ path: string }>();
  const seek = useCallback(
    (folder: string) => {
      if (isDrawer) show();
      setSought({ path: folder });
    },
    [isDrawer, show],
  );
  const hide = useCallback(() => {
    close();
    setSought(undefined);
  }, [close]);
  const isInPlace = isDrawer && path === undefined;
  return useMemo(
    () => ({ isDrawer, isInPlace, isShown, show, hide, sought, seek }),
    [isDrawer, isInPlace, isShown, show, hide, sought, seek],
  );
}

export function SidePane({ side, children }: { side: Side; children: ReactNode }) {
  const words = useWords(editorWords);
  if (!side.isDrawer || side.isInPlace) return <Box className="side">{children}</Box>;
  return (
    <Drawer opened={side.isShown} onClose={side.hide} title={words.tree} size="min(22rem, 88%)" padding="xs">
      {children}
    </Drawer>
  );
}

/** The button that opens the drawer. Nothing is shown if the tree is a column. */
export function SideButton({ side }: { side: Side }) {
  const words = useWords(editorWords);
  if (!side.isDrawer || side.isInPlace) return null;
  return (
    <Tooltip label={words.showFiles}>
      <ActionIcon
        className="side-button"
        variant="subtle"
        color="gray"
        onClick={side.show}
        aria-label={words.showFiles}
        aria-haspopup="dialog"
      >
        <IconLayoutSidebar size={18} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
}
