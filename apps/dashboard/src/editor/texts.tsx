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
  shown: string | undefined;
  line: number | undefined;
  tabs: Tab[];
  active: Tab | undefined;
  /** Whether the group has the focus. */
  isFocused: boolean;
  change: ChangeTabs;
  canEdit: boolean;
  save: (tab: Tab) => void;
  together: Together;
  choice: ReactNode;
};

/** The editors of all open files of a group. Only the editor of the shown file is visible. */
export function Texts({ place, current, shown, line, tabs, active, isFocused, ...around }: Props) {
  const { change, canEdit, save, together, choice } = around;
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
          // Editors stay mounted, so that each keeps its position while another is shown.
          <TextPane
            key={tab.path}
            tab={tab}
            isShown={tab === active}
            isFocused={isFocused && tab === active}
            line={tab === active ? line : undefined}
            {...{ change, canEdit, save, together }}
          />
        ))}
      </Suspense>
      {shown !== undefined && !current && !active && <NotFoundScreen />}
      {shown === undefined && (choice || <NoFileOpen title={words.choose} hint={words.chooseHint} />)}
    </div>
  );
}
