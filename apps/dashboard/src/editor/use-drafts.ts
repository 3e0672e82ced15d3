import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useSignedIn } from '../api/session.ts';
import { toast } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { changeWords } from './changes.words.ts';
import { adoptDrafts, keepDrafts } from './drafts.ts';
import { type ChangeTabs, hasUnsaved, type Tab } from './tabs.ts';

type Options = { projectId: string; tabs: Tab[]; change: ChangeTabs; isLive: boolean };

/** Restores unsaved text of an earlier page, and keeps that of this one. A session keeps its own texts. */
export function useDrafts({ projectId, tabs, change, isLive }: Options) {
  const words = useWords(changeWords);
  const { user } = useSignedIn();
  const [isRead, setRead] = useState(false);
  const latest = useRef({ tabs, isLive, words });
  latest.current = { tabs, isLive, words };
  const owner = { userId: user.id, projectId };
  const keep = useDebouncedCallback(() => {
    if (!latest.current.isLive) void keepDrafts(owner, latest.current.tabs.filter(hasUnsaved));
  }, 400);

  useEffect(() => {
    setRead(false);
    if (isLive) return;
    let isGone = false;
    void adoptDrafts({ userId: user.id, projectId }).then((drafts) => {
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
  }, [user.id, projectId, change, isLive]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: written when the texts have changed, and only then
  useEffect(() => {
    if (isRead) keep();
  }, [isRead, tabs]);
  return { drop: () => keepDrafts(owner, []) };
}
