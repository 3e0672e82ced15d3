import { type Dispatch, useReducer } from 'react';

/** `stored` is the text that the service has, with its ETag. `draft` is the text in the editor. */
export type Tab = {
  path: string;
  fileId: string;
  stored: string;
  etag: string;
  draft: string;
  /** Unsaved drafts of other windows for the same file. They stay until the user chooses. */
  otherDrafts?: readonly string[];
};

export const isDirty = ({ stored, draft }: Tab): boolean => stored !== draft;

/** Whether closing the tab would lose unsaved text. */
export const hasUnsaved = (tab: Tab): boolean => isDirty(tab) || otherDraftsOf(tab).length > 0;

const otherDraftsOf = ({ otherDrafts = [] }: Tab): readonly string[] => otherDrafts;

type Change =
  | { type: 'loaded'; tab: Omit<Tab, 'draft'> }
  | { type: 'restored'; tabs: Tab[] }
  | { type: 'typed'; path: string; draft: string }
  /** The user has chosen `draft`, so one of the other drafts is no longer needed. */
  | { type: 'chosen'; path: string; draft: string }
  | { type: 'saved'; path: string; fileId: string; stored: string; etag: string }
  | { type: 'closed'; path: string }
  | { type: 'moved'; from: string; to: string };

export type ChangeTabs = Dispatch<Change>;

/** The path after a move. Paths below a moved directory move along with it. */
export const movedPath = (path: string, { from, to }: { from: string; to: string }): string =>
  path === from || path.startsWith(`${from}/`) ? to + path.slice(from.length) : path;

/**
 * Adds drafts to tabs. The first draft of a file becomes its text. Further drafts that differ are kept in addition and
 * never replace it.
 */
export const withDrafts = (tabs: Tab[], drafts: readonly Tab[]): Tab[] => drafts.reduce(withDraft, tabs);

function withDraft(tabs: Tab[], found: Tab): Tab[] {
  const open = tabs.find(({ path }) => path === found.path);
  if (!open) return [...tabs, found];
  const [first, second] = isDirty(open) ? [open, found] : [found, open];
  const others = [...otherDraftsOf(first), ...(isDirty(second) ? [second.draft] : []), ...otherDraftsOf(second)];
  const otherDrafts = [...new Set(others)].filter((text) => text !== first.draft);
  return tabs.map((tab) => (tab === open ? { ...first, otherDrafts } : tab));
}

function changed(tabs: Tab[], change: Change): Tab[] {
  switch (change.type) {
    case 'loaded': {
      const open = tabs.find(({ path }) => path === change.tab.path);
      if (!open) return [...tabs, { ...change.tab, draft: change.tab.stored }];
      // A change from outside never overwrites a draft. Saving the draft then reports the conflict.
      if (isDirty(open)) return tabs;
      return tabs.map((tab) => (tab === open ? { ...tab, ...change.tab, draft: change.tab.stored } : tab));
    }
    case 'restored':
      return withDrafts(tabs, change.tabs);
    case 'chosen':
      return tabs.map((tab) =>
        tab.path === change.path ? { ...tab, draft: change.draft, otherDrafts: otherDraftsOf(tab).slice(1) } : tab,
      );
    case 'typed':
      return tabs.map((tab) => (tab.path === change.path ? { ...tab, draft: change.draft } : tab));
    case 'saved':
      return tabs.map((tab) =>
        tab.path === change.path ? { ...tab, fileId: change.fileId, stored: change.stored, etag: change.etag } : tab,
      );
    case 'closed':
      return tabs.filter(({ path }) => path !== change.path && !path.startsWith(`${change.path}/`));
    case 'moved':
      return tabs.map((tab) => ({ ...tab, path: movedPath(tab.path, change) }));
  }
}

export const useTabs = () => useReducer(changed, []);
