import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import type { Place } from '../api/project.ts';
import { useSignedIn } from '../api/session.ts';
import { toast } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { changeWords } from './changes.words.ts';
import { adoptDrafts, keepDrafts, ownerOf } from './drafts.ts';
import { type ChangeTabs, hasUnsaved, type Tab } from './tabs.ts';

type Options = { place: Place; tabs: Tab[]; change: ChangeTabs; isLive: boolean };

/**
 * Moves the drafts of the open workbench to another branch. It is stored here because the branch switcher, which calls
 * it, is outside the workbench.
 */
let carry: ((to: Place) => Promise<void>) | null = null;

/** Moves all unsaved text to another branch, whose workbench opens next. */
export const carryOpenDrafts = async (to: Place): Promise<void> => carry?.(to);

/** Restores the unsaved text of an earlier page, and stores that of this page. A session stores its own texts. */
export function useDrafts({ place, tabs, change, isLive }: Options) {
  const words = useWords(changeWords);
  const { user } = useSignedIn();
  const [isRead, setRead] = useState(false);
  const latest = useRef({ tabs, isLive, words });
  latest.current = { tabs, isLive, words };
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
    carry = async (to) => {
      const unsaved = latest.current.tabs.filter(hasUnsaved);
      if (unsaved.length === 0) return;
      keep.cancel();
      await keepDrafts(ownerOf(user.id, to), unsaved);
      await keepDrafts(ownerOf(user.id, place), []);
      for (const { path } of unsaved) change({ type: 'closed', path });
    };
    return () => {
      carry = null;
    };
  }, [user.id, place, change, keep]);

  const drop = () => {
    keep.cancel();
    return keepDrafts(owner, []);
  };
  return { drop };
}
