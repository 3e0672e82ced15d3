import { useBlocker } from '@tanstack/react-router';
import { confirm } from '../kit/confirm.tsx';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';

type Guarded = { isUnsaved: boolean; isLive: boolean; left: () => unknown };

/**
 * Asks before unsaved text is lost, when the user goes to another screen or leaves the page. Changing to another branch
 * causes the question only in a session, because drafts outside sessions stay stored for their branch.
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
