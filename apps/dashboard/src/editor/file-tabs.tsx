import { ActionIcon, Box, UnstyledButton } from '@mantine/core';
import { IconPointFilled, IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { FileIcon } from './file-icon.tsx';
import type { Tab } from './tabs.ts';

type Props = {
  tabs: Tab[];
  active: Tab | undefined;
  isUnsaved: (tab: Tab) => boolean;
  open: (tab: Tab) => void;
  close: (tab: Tab) => void;
};

export function FileTabs({ tabs, active, isUnsaved, open, close }: Props) {
  const words = useWords(editorWords);
  const bar = useActiveInView();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div ref={bar} className="file-tabs" role="group" aria-label={words.openFiles}>
      {tabs.map((tab) => (
        <FileTab
          key={tab.path}
          path={tab.path}
          isActive={tab === active}
          hasUnsaved={isUnsaved(tab)}
          open={() => open(tab)}
          close={() => close(tab)}
        />
      ))}
    </div>
  );
}

/** When more actions appear, the bar gets narrower. That must not move the active tab out of view. */
function useActiveInView() {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new ResizeObserver(() => bar.current?.querySelector('[data-active]')?.scrollIntoView(nearest));
    if (bar.current) observer.observe(bar.current);
    return () => observer.disconnect();
  }, []);
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
