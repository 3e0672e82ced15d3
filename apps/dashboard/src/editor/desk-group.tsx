import type { File } from '@bottega/contract';
import type { ReactNode } from 'react';
import type { Place } from '../api/project.ts';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { FileTabs } from './file-tabs.tsx';
import type { Group } from './groups.ts';
import { OtherDraft } from './other-draft.tsx';
import { OutsideNotice } from './outside-notice.tsx';
import type { ChangeTabs, Tab } from './tabs.ts';
import { Texts } from './texts.tsx';
import type { useDesk } from './use-desk.tsx';
import type { TabGroups } from './use-groups.ts';
import type { Together } from './use-together.tsx';

type Props = {
  place: Place;
  files: readonly File[];
  group: Group;
  groups: TabGroups;
  desk: ReturnType<typeof useDesk>;
  tabs: Tab[];
  change: ChangeTabs;
  line: number | undefined;
  canEdit: boolean;
  together: Together;
  choice: ReactNode;
  open: (path: string) => void;
};

/** One group of tabs and the text that it shows. Its tabs are above it only if there are two groups side by side. */
export function DeskGroup({ place, files, group, groups, desk, tabs, open, ...around }: Props) {
  const { change, line, canEdit, together, choice } = around;
  const words = useWords(editorWords);
  const { id, shown } = group;
  const { isSplit } = groups;
  const isFocused = id === groups.focused.id;
  const active = tabs.find(({ path }) => path === shown);
  const outside = active ? desk.outsideOf(active) : null;
  const focus = () => groups.focus(id);
  return (
    <section
      className="desk-group"
      aria-label={isSplit ? words.group(groups.all.indexOf(group) + 1) : undefined}
      data-unfocused={isFocused ? undefined : true}
      hidden={!isSplit && !isFocused}
      tabIndex={isSplit ? -1 : undefined}
      onFocus={focus}
      onPointerDown={focus}
    >
      {isSplit && (
        <div className="desk-bar">
          <FileTabs {...{ group, groups, desk, open }} />
        </div>
      )}
      {active && outside && (
        <OutsideNotice
          change={outside}
          compare={() => desk.saving.compare(active)}
          reload={() => desk.saving.reload(active)}
          close={() => desk.close(active.path)}
        />
      )}
      {active && together.live === null && <OtherDraft key={active.path} tab={active} change={change} />}
      <Texts
        {...{ place, shown, active, change, canEdit, together, isFocused }}
        current={files.find((file) => file.path === shown && file.type === 'file')}
        line={id === groups.meant ? line : undefined}
        tabs={tabs.filter(({ path }) => group.paths.includes(path))}
        save={desk.save}
        choice={isFocused && choice}
      />
    </section>
  );
}
