import { type Dispatch, useReducer } from 'react';

/** `stored` is the text that the service has, with its ETag; `draft` is what stands in the editor. */
export type Tab = { path: string; fileId: string; stored: string; etag: string; draft: string };

export const isDirty = ({ stored, draft }: Tab): boolean => stored !== draft;

type Change =
  | { type: 'loaded'; tab: Omit<Tab, 'draft'> }
  | { type: 'restored'; tabs: Tab[] }
  | { type: 'typed'; path: string; draft: string }
  | { type: 'saved'; path: string; fileId: string; stored: string; etag: string }
  | { type: 'closed'; path: string }
  | { type: 'moved'; from: string; to: string };

export type ChangeTabs = Dispatch<Change>;

/** What is below a moved directory moves with it. */
export const movedPath = (path: string, { from, to }: { from: string; to: string }): string =>
  path === from || path.startsWith(`${from}/`) ? to + path.slice(from.length) : path;

function changed(tabs: Tab[], change: Change): Tab[] {
  switch (change.type) {
    case 'loaded': {
      const open = tabs.find(({ path }) => path === change.tab.path);
      if (!open) return [...tabs, { ...change.tab, draft: change.tab.stored }];
      // A draft is never overwritten by what comes in from outside: saving it will say that there is a conflict.
      if (isDirty(open)) return tabs;
      return tabs.map((tab) => (tab === open ? { ...change.tab, draft: change.tab.stored } : tab));
    }
    case 'restored': {
      const untouched = tabs.filter((tab) => isDirty(tab) || !change.tabs.some(({ path }) => path === tab.path));
      return [...untouched, ...change.tabs.filter((one) => !untouched.some(({ path }) => path === one.path))];
    }
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
