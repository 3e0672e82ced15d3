import { ActionIcon, Box, UnstyledButton } from '@mantine/core';
import { IconPointFilled, IconX } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { FileIcon } from './file-icon.tsx';

type Props = {
  paths: readonly string[];
  active: string | undefined;
  isUnsaved: (path: string) => boolean;
  open: (path: string) => void;
  close: (path: string) => void;
};

export function FileTabs({ paths, active, isUnsaved, open, close }: Props) {
  const words = useWords(editorWords);
  const bar = useActiveInView();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div ref={bar} className="file-tabs" role="group" aria-label={words.openFiles}>
      {paths.map((path) => (
        <FileTab
          key={path}
          path={path}
          isActive={path === active}
          hasUnsaved={isUnsaved(path)}
          open={() => open(path)}
          close={() => close(path)}
        />
      ))}
    </div>
  );
}

/**
 * When more actions appear, the bar gets narrower, and after a navigation the router restores an old position. Neither
 * must move the active tab out of view.
 */
function useActiveInView() {
  const bar = useRef<HTMLDivElement>(null);
  const router = useRouter();
  useEffect(() => {
    const show = () => bar.current?.querySelector('[data-active]')?.scrollIntoView(nearest);
    const observer = new ResizeObserver(show);
    if (bar.current) observer.observe(bar.current);
    const unsubscribe = router.subscribe('onRendered', show);
    return () => {
      observer.disconnect();
      unsubscribe();
    };
  }, [router]);
  return bar;
}

const nearest = { block: 'nearest', inline: 'nearest' } as const;

type TabProps = { path: string; isActive: boolean; hasUnsaved: boolean; open: () => void; close: () => void };

function FileTab({ path, isActive, hasUnsaved, open, close }: TabProps) {
  const words = useWords(editorWords);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) box.current?.scrollIntoView(nearest);
  }, [isActive]);
  return (
    <Box ref={box} className="file-tab" data-active={isActive || undefined}>
      <UnstyledButton onClick={open} title={path} aria-current={isActive}>
        <FileIcon name={name} size={14} />
        <span className="cut-end">{name}</span>
      </UnstyledButton>
      <ActionIcon variant="subtle" color="gray" size="sm" mx={4} onClick={close} aria-label={words.close(name)}>
        {hasUnsaved ? <IconPointFilled size={14} /> : <IconX size={13} />}
      </ActionIcon>
    </Box>
  );
}
