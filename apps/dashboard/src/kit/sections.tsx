import { Box, type StyleProp, Tabs, type TabsProps } from '@mantine/core';
import { Outlet, useLocation } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Loading } from './loading.tsx';

/** The section in the URL: `/webhooks/whk_…/figures` at depth 3 is `figures`. */
export function useSection<Name extends string>(names: readonly [Name, ...Name[]], depth: number): Name {
  const part = useLocation().pathname.split('/')[depth];
  return names.find((name) => name === part) ?? names[0];
}

type TabsOf<Name extends string> = Omit<TabsProps, 'value' | 'onChange'> & {
  names: readonly Name[];
  /** Null if the URL names none of them. */
  section: Name | null;
  words: Record<Name | 'sections', string>;
  go: (name: Name) => void;
  /** Sections inside a section. */
  isInner?: boolean;
};

/**
 * The sections of a layout. If there is not enough room, they are one line, and the selected section is scrolled into
 * view.
 */
export function SectionTabs<Name extends string>({ names, section, words, go, isInner, ...tabs }: TabsOf<Name>) {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for every section, also after a link
  useEffect(() => {
    // Who moves along the tabs by keys is ahead of the sections, which still load.
    const tab = list.current?.querySelector(':focus') ?? list.current?.querySelector('[aria-selected=true]');
    tab?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [section, tabs.orientation]);
  return (
    <Tabs value={section} onChange={(name) => go(name as Name)} {...tabs}>
      <Tabs.List aria-label={words.sections} className="section-tabs" data-inner={isInner} ref={list}>
        {names.map((name) => (
          <Tabs.Tab key={name} value={name} aria-controls="section" py={isInner ? 3 : 10}>
            {words[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}

type PanelProps = { label: string; flex?: StyleProp<number>; children?: ReactNode };

/** Shows the content of a section, or a message instead. */
export function SectionPanel({ label, flex, children }: PanelProps) {
  return (
    <Box
      id="section"
      role="tabpanel"
      aria-label={label}
      {...(flex !== undefined && { flex, mih: 0, display: 'flex', style: { flexDirection: 'column' } })}
    >
      {children ?? (
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      )}
    </Box>
  );
}
