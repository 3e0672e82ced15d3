import { useBlocker } from '@tanstack/react-router';
import { confirm } from '../kit/confirm.tsx';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';

type Guarded = { isUnsaved: boolean; isLive: boolean; left: () => unknown };

/**
 * Covers both exits: to another screen of ours, and away from the page. Another branch is an exit only from a session,
 * since drafts wait for their user on their own branch.
 */
export function useUnsavedGuard({ isUnsaved, isLive, left }: Guarded): void {
  const words = useWords(editorWords);
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      const isSameBranch = refIn(current.search) === refIn(next.search);
      if (!isUnsaved || (current.pathname === next.pathname && (isSameBranch || !isLive))) return false;
      if (!(await confirm({ title: words.leave, yes: words.leaveYes, isDangerous: true }))) return true;
      await left();
      return false;
    },
    enableBeforeUnload: isUnsaved,
  });
}

const refIn = (search: object): unknown => ('ref' in search ? search.ref : undefined);
