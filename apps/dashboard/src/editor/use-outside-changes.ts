import type { File } from '@bottega/contract';
import { useState } from 'react';
import { useHappenings } from '../api/happenings.tsx';
import type { Place } from '../api/project.ts';
import { etagOf } from './file-content.ts';
import { type ChangeTabs, isDirty, type Tab } from './tabs.ts';

/** A change that somebody else made to a file that is open here. `by` is undefined if the page missed the event. */
export type OutsideChange = { kind: 'changed' | 'deleted'; by: string | undefined };

type Options = {
  place: Place;
  files: readonly File[];
  tabs: Tab[];
  move: (moved: { from: string; to: string }) => void;
  change: ChangeTabs;
};

/**
 * Follows changes to this branch by a push, by REST or from another window. Every event reloads the list of files and
 * the tabs without unsaved changes. A tab with unsaved changes only shows a notice.
 */
export function useOutsideChanges({ place: { projectId, branch = 'main' }, files, tabs, move, change }: Options) {
  const [last, setLast] = useState<Record<string, { by: string; isDeletion: boolean }>>({});
  const types = ['file.created', 'file.updated', 'file.deleted'] as const;
  useHappenings({ types, projectId }, ({ type, data }) => {
    // Without version control there is only main.
    if ((data.branch ?? 'main') !== branch) return;
    const from = type === 'file.updated' ? data.previous_path : undefined;
    if (from !== undefined) {
      change({ type: 'moved', from, to: data.file_path });
      move({ from, to: data.file_path });
    }
    if (!tabs.some((tab) => tab.path === data.file_path || tab.path === from)) return;
    setLast((now) => ({
      ...now,
      [data.file_path]: { by: data.updated_by.name, isDeletion: type === 'file.deleted' },
    }));
  });
  return (tab: Tab): OutsideChange | null => {
    const file = files.find((one) => one.path === tab.path);
    // A draft from an earlier page may be older than all received events. In this case, a file that does not exist
    // counts as deleted.
    const { by, isDeletion } = last[tab.path] ?? { by: undefined, isDeletion: isDirty(tab) };
    if (!file) return isDeletion ? { kind: 'deleted', by } : null;
    return isDirty(tab) && etagOf(file) !== tab.etag ? { kind: 'changed', by } : null;
  };
}
