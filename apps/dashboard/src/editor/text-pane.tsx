import { lazy, Suspense, useLayoutEffect, useRef, useState } from 'react';
import type { Left } from '../kit/use-code-mirror.ts';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { holdText } from './shared-text.ts';
import type { ChangeTabs, Tab } from './tabs.ts';
import type { Together } from './use-together.tsx';

const CodeEditor = lazy(() => import('./code-editor.tsx'));

type Props = {
  tab: Tab;
  isShown: boolean;
  /** Whether it is shown in the group with the focus. */
  isFocused: boolean;
  line: number | undefined;
  change: ChangeTabs;
  canEdit: boolean;
  save: (tab: Tab) => void;
  together: Together;
};

/**
 * The editor of one open file. When a session begins, the stored text stays until the shared text is there, and the
 * cursor and the visible part stay too.
 */
export function TextPane({ tab, isShown, isFocused, line, change, canEdit, save, together }: Props) {
  const words = useWords(editorWords);
  const { live, editor } = together;
  const left = useRef<Left | null>(null);
  const [readyIn, setReadyIn] = useState<string | null>(null);
  const isShared = live !== null && readyIn === live.id;
  const { path } = tab;
  // An editor is created when it is first shown. Otherwise, joining two groups could create many editors at once.
  const [wasShown, setWasShown] = useState(isShown);
  if (isShown && !wasShown) setWasShown(true);
  const isAlone = live === null;
  // The history ends when a session begins, because an undo must not revert changes of the session.
  useLayoutEffect(() => (isAlone ? holdText(path) : undefined), [path, isAlone]);
  return (
    <div style={{ display: isShown ? 'flex' : 'none', flex: 1, minHeight: 0 }}>
      {!isShared && wasShown && (
        <CodeEditor
          path={path}
          label={live ? words.joining(path) : words.content(path)}
          text={tab.draft}
          readOnly={!canEdit || live !== null}
          line={line}
          left={left}
          onChange={(draft) => change({ type: 'typed', path, draft })}
          onSave={() => canEdit && save(tab)}
        />
      )}
      {live && editor && (isShown || isShared) && (
        <Suspense fallback={null}>
          {editor({ path, isShown, isFocused, line, left, ready: () => setReadyIn(live.id) })}
        </Suspense>
      )}
    </div>
  );
}
