import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import type { Place } from '../api/project.ts';
import { useSignedIn } from '../api/session.ts';
import { onCarry } from '../branches/carried-drafts.ts';
import { toast } from '../kit/toast.ts';
import type { Live } from '../live/use-live.ts';
import { useWords } from '../words/words.tsx';
import { changeWords } from './changes.words.ts';
import { adoptDrafts, keepDrafts, ownerOf } from './drafts.ts';
import { sessionDrafts } from './session-drafts.ts';
import { type ChangeTabs, hasUnsaved, type Tab } from './tabs.ts';

type Options = {
  place: Place;
  tabs: Tab[];
  change: ChangeTabs;
  live: Live | null;
  /** Also true while the session is not known yet. */
  isLive: boolean;
};

/** Restores the unsaved text of an earlier page, and stores that of this page. A session stores its own texts. */
export function useDrafts({ place, tabs, change, live, isLive }: Options) {
  const words = useWords(changeWords);
  const { user } = useSignedIn();
  const [isRead, setRead] = useState(false);
  const latest = useRef({ tabs, live, isLive, words });
  latest.current = { tabs, live, isLive, words };
  const owner = ownerOf(user.id, place);
  const keepNow = () => {
    if (!latest.current.isLive) void keepDrafts(owner, latest.current.tabs.filter(hasUnsaved));
  };
  // The user may open another branch right after typing, so pending text is stored on unmount.
  const keep = useDebouncedCallback(keepNow, { delay: 400, flushOnUnmount: true });

  useEffect(() => {
    setRead(false);
    if (isLive) return;
    let isGone = false;
    void adoptDrafts(ownerOf(user.id, place)).then((drafts) => {
      if (isGone) return;
      if (drafts.length > 0) {
        change({ type: 'restored', tabs: drafts });
        toast(latest.current.words.restored(drafts.length));
      }
      setRead(true);
    });
    return () => {
      isGone = true;
    };
  }, [user.id, place, change, isLive]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the texts have changed
  useEffect(() => {
    if (isRead) keep();
  }, [isRead, tabs]);

  useEffect(() => {
    return onCarry(async (to) => {
      const { tabs: open, live: session, isLive: isShared } = latest.current;
      const unsaved = session ? await sessionDrafts(session, place, open) : open.filter(hasUnsaved);
      if (unsaved.length === 0) return;
      keep.cancel();
      await keepDrafts(ownerOf(user.id, to), unsaved);
      // The texts of a session are not discarded, because the session keeps them for the others.
      if (isShared) return;
      await keepDrafts(ownerOf(user.id, place), []);
      for (const { path } of unsaved) change({ type: 'closed', path });
    });
  }, [user.id, place, change, keep]);

  const drop = () => {
    keep.cancel();
    return keepDrafts(owner, []);
  };
  return { drop };
}
