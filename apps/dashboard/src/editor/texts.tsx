import type { File } from '@bottega/contract';
import { type ReactNode, Suspense } from 'react';
import type { Place } from '../api/project.ts';
import { NotFoundScreen } from '../kit/error-screen.tsx';
import { Loading } from '../kit/loading.tsx';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { NoFileOpen } from './no-file-open.tsx';
import { Opening } from './opening.tsx';
import type { ChangeTabs, Tab } from './tabs.ts';
import { TextPane } from './text-pane.tsx';
import type { Together } from './use-together.tsx';

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
          <TextPane
            key={tab.path}
            tab={tab}
            isShown={tab === active}
            line={tab === active ? line : undefined}
            {...{ change, canEdit, save, together }}
          />
        ))}
      </Suspense>
      {wanted !== undefined && !current && !active && <NotFoundScreen />}
      {wanted === undefined && (choice || <NoFileOpen title={words.choose} hint={words.chooseHint} />)}
    </div>
  );
}
