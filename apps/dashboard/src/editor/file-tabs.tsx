import { ActionIcon, Box, Menu, UnstyledButton } from '@mantine/core';
import { IconPointFilled, IconX } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { FileIcon } from './file-icon.tsx';
import type { Group } from './groups.ts';
import type { useDesk } from './use-desk.tsx';
import type { TabGroups } from './use-groups.ts';

type Props = {
  /** The group whose tabs are shown. Without it, those of all groups are shown in one row. */
  group?: Group;
  groups: TabGroups;
  desk: ReturnType<typeof useDesk>;
  open: (path: string) => void;
};

export function FileTabs({ group, groups, desk, open }: Props) {
  const words = useWords(editorWords);
  const bar = useActiveInView();
  const [meant, mean] = useState<string>();
  const paths = group?.paths ?? [...new Set(groups.all.flatMap((one) => one.paths))];
  const { id, shown } = group ?? groups.focused;
  const acts = useActs({ open, close: (path) => desk.close(path, group?.id) });
  return (
    <TabMenu path={meant} group={id} groups={groups} close={acts.close}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div ref={bar} className="file-tabs" role="group" aria-label={words.openFiles}>
        {paths.map((path) => (
          <FileTab
            key={path}
            path={path}
            isActive={path === shown}
            hasUnsaved={desk.dirty.some((tab) => tab.path === path)}
            mean={mean}
            open={acts.open}
            close={acts.close}
          />
        ))}
      </div>
    </TabMenu>
  );
}

type Acts = Record<'open' | 'close', (path: string) => void>;

/** Returns functions that stay the same for each render, so that a key press does not render every tab again. */
function useActs(acts: Acts): Acts {
  const latest = useRef(acts);
  latest.current = acts;
  return useMemo(
    () => ({ open: (path) => latest.current.open(path), close: (path) => latest.current.close(path) }),
    [],
  );
}

type MenuProps = {
  /** The tab for which the menu is opened. */
  path: string | undefined;
  group: number;
  groups: TabGroups;
  close: (path: string) => void;
  children: React.ReactNode;
};

/** The menu of a tab, opened with the right button, a long press or the menu key. A phone has no room for two groups. */
function TabMenu({ path, group, groups, close, children }: MenuProps) {
  const words = useWords(editorWords);
  // The focus returns to the tab, unless it goes to the other group or the tab is gone.
  const [isLeaving, setLeaving] = useState(false);
  const { isNarrow, isSplit, split, join } = groups;
  const leaving = (act: () => void) => () => {
    setLeaving(true);
    act();
  };
  return (
    <Menu
      shadow="md"
      width={240}
      position="bottom-start"
      // A menu must contain nothing focusable except its items.
      withInitialFocusPlaceholder={false}
      returnFocus={!isLeaving}
      onOpen={() => setLeaving(false)}
    >
      <Menu.ContextMenu disabled={isNarrow || path === undefined}>{children}</Menu.ContextMenu>
      {path !== undefined && (
        <Menu.Dropdown>
          <Menu.Item onClick={leaving(() => split(group, path))}>{isSplit ? words.toOther : words.split}</Menu.Item>
          {isSplit && <Menu.Item onClick={leaving(join)}>{words.join}</Menu.Item>}
          <Menu.Item onClick={leaving(() => close(path))}>{words.close(nameOf(path))}</Menu.Item>
        </Menu.Dropdown>
      )}
    </Menu>
  );
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * Keeps the active tab in view. It could leave the view because the bar gets narrower when more actions appear, and
 * because the router restores an old scroll position after a navigation.
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

type TabProps = Acts & {
  path: string;
  isActive: boolean;
  hasUnsaved: boolean;
  /** Makes the menu refer to this tab. */
  mean: (path: string) => void;
};

const FileTab = memo(function FileTab({ path, isActive, hasUnsaved, mean, open, close }: TabProps) {
  const words = useWords(editorWords);
  const name = nameOf(path);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) box.current?.scrollIntoView(nearest);
  }, [isActive]);
  return (
    <Box
      ref={box}
      className="file-tab"
      data-active={isActive || undefined}
      onPointerDown={() => mean(path)}
      onFocus={() => mean(path)}
    >
      <UnstyledButton onClick={() => open(path)} title={path} aria-current={isActive}>
        <FileIcon name={name} size={14} />
        <span className="cut-end">{name}</span>
        {hasUnsaved && <IconPointFilled size={12} style={{ flexShrink: 0 }} />}
      </UnstyledButton>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        mx={4}
        onClick={() => close(path)}
        aria-label={words.close(name)}
      >
        <IconX size={13} />
      </ActionIcon>
    </Box>
  );
});
