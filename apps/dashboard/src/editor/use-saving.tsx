import type { File } from '@bottega/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState } from 'react';
import { ApiError } from '../api/client.ts';
import { filesQuery, type Place } from '../api/project.ts';
import { toastRefusal } from '../kit/toast.ts';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { etagOf, readText, saveText } from './file-content.ts';
import type { ChangeTabs, Tab } from './tabs.ts';

const ConflictDialog = lazy(() => import('./conflict-dialog.tsx'));

type Options = { place: Place; files: readonly File[]; change: ChangeTabs };
type Conflict = { tab: Tab; theirs: string; etag: string };
type Save = {
  tab: Tab;
  text: string;
  etag: string;
  /** Whether it was requested while another save was under way. */
  follows?: boolean;
};

/**
 * Saves texts. Each request names the version that the text is based on (If-Match). If somebody else saved first, the
 * service refuses with 412, and both texts are shown side by side. The text that the user chooses is then saved over
 * the shown version. If that has changed too, the service refuses again.
 */
export function useSaving({ place, files, change }: Options) {
  const client = useQueryClient();
  const words = useWords(editorWords);
  const [conflict, setConflict] = useState<Conflict | null>(null);

  /** The version that the last save made, which the tab did not have yet when the next save was requested. */
  const made = useRef<{ path: string; etag: string } | null>(null);

  const saving = useMutation({
    // Saves run one after the other. Otherwise, the second one would conflict with the user's own first one.
    scope: { id: 'save' },
    mutationFn: async ({ tab: { path }, text, etag: known, follows = false }: Save) => {
      if (!follows) made.current = null;
      const etag = made.current?.path === path ? made.current.etag : known;
      const file = await saveText(place, { path, text, etag });
      made.current = { path, etag: etagOf(file) };
      return { file, text };
    },
    onSuccess: ({ file, text }) => {
      change({ type: 'saved', path: file.path, fileId: file.id, stored: text, etag: etagOf(file) });
      setConflict(null);
      client.setQueryData(filesQuery(place).queryKey, (all) =>
        all?.map((listed): File => (listed.path === file.path ? file : listed)),
      );
      void client.invalidateQueries({ queryKey: ['projects', place.projectId, 'comparison'] });
      return client.invalidateQueries({ queryKey: ['projects', place.projectId, 'commits'] });
    },
    onError: (error, { tab, text }) => {
      if (error instanceof ApiError && error.status === 412) compare({ ...tab, draft: text });
    },
    // The branches are reloaded, because this branch has moved, or because a rule has prevented the change.
    onSettled: () => void client.invalidateQueries({ queryKey: ['projects', place.projectId, 'branches'] }),
  });

  const readTheirs = async (tab: Tab): Promise<Conflict> => {
    // A draft may come from another branch, where the file has another id.
    const fileId = files.find(({ path }) => path === tab.path)?.id ?? tab.fileId;
    const { text: theirs, etag } = await readText(place, fileId);
    return { tab: { ...tab, fileId }, theirs, etag };
  };
  const compare = (tab: Tab) => void readTheirs(tab).then(setConflict, toastRefusal);
  const take = ({ tab: { path, fileId }, theirs, etag }: Conflict) => {
    change({ type: 'typed', path, draft: theirs });
    change({ type: 'saved', path, fileId, stored: theirs, etag });
    setConflict(null);
  };

  const isConflict = saving.error instanceof ApiError && saving.error.status === 412;
  const dialog = conflict && (
    <Suspense fallback={null}>
      <ConflictDialog
        words={words}
        theirs={conflict.theirs}
        mine={conflict.tab.draft}
        close={() => setConflict(null)}
        take={() => take(conflict)}
        save={(text) => {
          change({ type: 'typed', path: conflict.tab.path, draft: text });
          saving.mutate({ tab: conflict.tab, text, etag: conflict.etag });
        }}
      />
    </Suspense>
  );
  return {
    save: (tab: Tab) => saving.mutate({ tab, text: tab.draft, etag: tab.etag, follows: saving.isPending }),
    compare,
    /** Replaces the draft with the stored text. */
    reload: (tab: Tab) => void readTheirs(tab).then(take, toastRefusal),
    isPending: saving.isPending,
    error: isConflict ? null : saving.error,
    dialog,
  };
}
