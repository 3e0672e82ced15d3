import type { File } from '@bottega/contract';
import { lazy, type ReactNode, Suspense } from 'react';
import type { Place } from '../api/project.ts';
import { NotFoundScreen } from '../kit/error-screen.tsx';
import { Loading } from '../kit/loading.tsx';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { NoFileOpen } from './no-file-open.tsx';
import { Opening } from './opening.tsx';
import type { ChangeTabs, Tab } from './tabs.ts';
import type { Together } from './use-together.tsx';

const CodeEditor = lazy(() => import('./code-editor.tsx'));

type Props = {
  place: Place;
  current: File | undefined;
  wanted: string | undefined;
  line: number | undefined;
  tabs: Tab[];
  active: Tab | undefined;
  change: ChangeTabs;
  canEdit: boolean;
  save: (tab: Tab) => void;
  together: Together;
  choice: ReactNode;
};

/** The editors of all open files. Only the editor of the file in the URL is visible. */
export function Texts({ place, current, wanted, line, tabs, active, change, canEdit, save, ...around }: Props) {
  const { together, choice } = around;
  const words = useWords(editorWords);
  const editorOf = (tab: Tab, shownLine: number | undefined) =>
    together.editor?.({ path: tab.path, isShown: tab === active, line: shownLine }) ?? (
      <CodeEditor
        path={tab.path}
        label={words.content(tab.path)}
        text={tab.draft}
        readOnly={!canEdit}
        line={shownLine}
        onChange={(draft) => change({ type: 'typed', path: tab.path, draft })}
        onSave={() => canEdit && save(tab)}
      />
    );
  return (
    <div className="texts">
      {current && (
        <Opening
          // When a session begins or ends, the editor starts with the text that is stored at that time.
          key={`${current.path} ${together.live?.id ?? ''}`}
          place={place}
          file={current}
          change={change}
          isOpen={active !== undefined}
        />
      )}
      <Suspense fallback={<Loading />}>
        {tabs.map((tab) => (
          // All editors stay mounted, so that each keeps its undo history and its position while another is shown.
          <div key={tab.path} style={{ display: tab === active ? 'flex' : 'none', flex: 1, minHeight: 0 }}>
            {editorOf(tab, tab === active ? line : undefined)}
          </div>
        ))}
      </Suspense>
      {wanted !== undefined && !current && !active && <NotFoundScreen />}
      {wanted === undefined && (choice || <NoFileOpen title={words.choose} hint={words.chooseHint} />)}
    </div>
  );
}
