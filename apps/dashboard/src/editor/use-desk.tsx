import type { File } from '@bottega/contract';
import type { Place } from '../api/project.ts';
import { confirm } from '../kit/confirm.tsx';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { type ChangeTabs, hasUnsaved, isDirty, type Tab } from './tabs.ts';
import { useCommitting } from './use-committing.ts';
import { useDeploying } from './use-deploying.ts';
import type { TabGroups } from './use-groups.ts';
import { useOutsideChanges } from './use-outside-changes.ts';
import { useSaving } from './use-saving.tsx';

type Options = {
  place: Place;
  files: readonly File[];
  tabs: Tab[];
  change: ChangeTabs;
  groups: TabGroups;
  canEdit: boolean;
  /**
   * Whether texts are shared in a session. If so, the session saves them, and changes from outside are not applied
   * here.
   */
  isLive: boolean;
};

/** The actions for open files: save one, commit several, deploy, close, and decide about other people's changes. */
export function useDesk({ place, files, tabs, change, groups, canEdit, isLive }: Options) {
  const words = useWords(editorWords);
  const saving = useSaving({ place, files, change });
  const committing = useCommitting({ place, files, change });
  const deploying = useDeploying(place);
  const outsideOf = useOutsideChanges({ place, files, tabs, move: groups.move, change });
  const { shown } = groups.focused;
  const dirty = isLive ? [] : tabs.filter(isDirty);
  const close = async (path: string, id?: number) => {
    const question = { title: words.closeTitle, yes: words.closeYes, isDangerous: true };
    const isElsewhere = groups.all.some((group) => id !== undefined && group.id !== id && group.paths.includes(path));
    const tab = tabs.find((one) => one.path === path && !isElsewhere);
    if (tab && !isLive && hasUnsaved(tab) && !(await confirm(question))) return;
    groups.close(path, id);
    if (tab) change({ type: 'closed', path });
  };
  return {
    saving,
    committing,
    deploying,
    /** The text that is shown in the group with the focus. */
    active: tabs.find(({ path }) => path === shown),
    dirty,
    outsideOf: (tab: Tab) => (isLive ? null : outsideOf(tab)),
    /** Saves the text. If somebody has deleted the file, it is created again. */
    save: (tab: Tab) => saving.save(outsideOf(tab)?.kind === 'deleted' ? { ...tab, etag: '' } : tab),
    /**
     * Closes a tab in the group with this id, or in all groups. The text stays while the other group has a tab for it.
     */
    close: (path: string, id?: number) => void close(path, id),
    discard: ({ path, stored }: Tab) => change({ type: 'typed', path, draft: stored }),
    deploy: () => {
      const message = dirty.length === 1 ? 'Update 1 file' : `Update ${dirty.length} files`;
      deploying.start(async () => canEdit && dirty.length > 0 && committing.mutateAsync({ tabs: dirty, message }));
    },
  };
}
