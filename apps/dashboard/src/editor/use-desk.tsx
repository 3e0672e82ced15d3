import type { File } from '@bottega/contract';
import type { Place } from '../api/project.ts';
import { confirm } from '../kit/confirm.tsx';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { type ChangeTabs, hasUnsaved, isDirty, type Tab } from './tabs.ts';
import { useCommitting } from './use-committing.ts';
import { useDeploying } from './use-deploying.ts';
import { useOpenPaths } from './use-open-paths.ts';
import { useOutsideChanges } from './use-outside-changes.ts';
import { useSaving } from './use-saving.tsx';

type Options = {
  place: Place;
  files: readonly File[];
  wanted: string | undefined;
  tabs: Tab[];
  change: ChangeTabs;
  open: (path: string | undefined, line?: number) => void;
  canEdit: boolean;
  /**
   * Whether texts are shared in a session. Then the session saves them, and changes from outside are not merged here.
   */
  isLive: boolean;
};

/** The actions for open files: save one, commit several, deploy, close, and decide about other people's changes. */
export function useDesk({ place, files, wanted, tabs, change, open, canEdit, isLive }: Options) {
  const words = useWords(editorWords);
  const saving = useSaving({ place, files, change });
  const committing = useCommitting({ place, files, change });
  const deploying = useDeploying(place);
  const outsideOf = useOutsideChanges({ place, files, tabs, path: wanted, open, change });
  const active = tabs.find(({ path }) => path === wanted);
  const dirty = isLive ? [] : tabs.filter(isDirty);
  const { paths, forget } = useOpenPaths({ place, files, tabs, wanted });
  const close = async (path: string) => {
    const question = { title: words.closeTitle, yes: words.closeYes, isDangerous: true };
    const tab = tabs.find((one) => one.path === path);
    if (tab && !isLive && hasUnsaved(tab) && !(await confirm(question))) return;
    const index = paths.indexOf(path);
    if (tab) change({ type: 'closed', path });
    else forget(path);
    if (path === wanted) open(paths[index + 1] ?? paths[index - 1]);
  };
  return {
    saving,
    committing,
    deploying,
    active,
    /** The tabs: all open texts, and files from before a reload. */
    paths,
    dirty,
    outside: active && !isLive ? outsideOf(active) : null,
    /** Saves the text. If somebody has deleted the file, it is created again. */
    save: (tab: Tab) => saving.save(outsideOf(tab)?.kind === 'deleted' ? { ...tab, etag: '' } : tab),
    close: (path: string) => void close(path),
    discard: ({ path, stored }: Tab) => change({ type: 'typed', path, draft: stored }),
    deploy: () => {
      const message = dirty.length === 1 ? 'Update 1 file' : `Update ${dirty.length} files`;
      deploying.start(async () => canEdit && dirty.length > 0 && committing.mutateAsync({ tabs: dirty, message }));
    },
  };
}
