import type { File } from '@bottega/contract';
import { Box, Button, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { confirm } from '../kit/confirm.tsx';
import { NotFoundScreen } from '../kit/error-screen.tsx';
import { Loading } from '../kit/loading.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { FilePath } from './file-path.tsx';
import { FileTabs } from './file-tabs.tsx';
import { NoFileOpen } from './no-file-open.tsx';
import { Opening } from './opening.tsx';
import { type ChangeTabs, isDirty, type Tab } from './tabs.ts';
import { useSaving } from './use-saving.tsx';
import type { Together } from './use-together.tsx';

const CodeEditor = lazy(() => import('./code-editor.tsx'));

type Props = {
  projectId: string;
  current: File | undefined;
  wanted: string | undefined;
  line: number | undefined;
  tabs: Tab[];
  change: ChangeTabs;
  open: (path: string | undefined, line?: number) => void;
  canWrite: boolean;
  together: Together;
};

/** The open files: their tabs, and the one that the address names. */
export function Desk({ projectId, current, wanted, line, tabs, change, open, canWrite, together }: Props) {
  const words = useWords(editorWords);
  const saving = useSaving(projectId, change);
  const close = async (tab: Tab) => {
    const question = { title: words.closeTitle, yes: words.closeYes, isDangerous: true };
    if (!together.live && isDirty(tab) && !(await confirm(question))) return;
    const index = tabs.indexOf(tab);
    change({ type: 'closed', path: tab.path });
    if (tab.path === wanted) open((tabs[index + 1] ?? tabs[index - 1])?.path);
  };
  const active = tabs.find(({ path }) => path === wanted);
  const editorOf = (tab: Tab, shownLine: number | undefined) =>
    together.editor?.({ path: tab.path, isShown: tab === active, line: shownLine }) ?? (
      <CodeEditor
        path={tab.path}
        label={words.content(tab.path)}
        text={tab.draft}
        readOnly={!canWrite}
        line={shownLine}
        onChange={(draft) => change({ type: 'typed', path: tab.path, draft })}
        onSave={() => canWrite && saving.save(tab)}
      />
    );
  return (
    <Box className="desk">
      {(tabs.length > 0 || together.button) && (
        <div className="desk-bar">
          <FileTabs
            tabs={tabs}
            active={active}
            isUnsaved={(tab) => !together.live && isDirty(tab)}
            open={({ path }) => open(path)}
            close={(tab) => void close(tab)}
          />
          <div className="desk-actions">
            {active && !together.live && <SaveState tab={active} saving={saving} canWrite={canWrite} />}
            {together.button}
          </div>
        </div>
      )}
      {wanted !== undefined && (current || active) && <FilePath path={wanted} />}
      {together.notices}
      {saving.error && (
        <Box p="xs">
          <Refusal error={saving.error} />
        </Box>
      )}
      {current && (
        <Opening
          // A session begins and ends with what is stored then, not with what was read before.
          key={`${current.path} ${together.live?.id ?? ''}`}
          projectId={projectId}
          file={current}
          change={change}
          isOpen={active !== undefined}
        />
      )}
      <Suspense fallback={<Loading />}>
        {tabs.map((tab) => (
          // All stay: each keeps its undo history and its place while another is looked at.
          <div key={tab.path} style={{ display: tab === active ? 'flex' : 'none', flex: 1, minHeight: 0 }}>
            {editorOf(tab, tab === active ? line : undefined)}
          </div>
        ))}
      </Suspense>
      {wanted !== undefined && !current && !active && <NotFoundScreen />}
      {wanted === undefined && <NoFileOpen title={words.choose} hint={words.chooseHint} />}
      {saving.dialog}
    </Box>
  );
}

type SaveProps = { tab: Tab; saving: ReturnType<typeof useSaving>; canWrite: boolean };

function SaveState({ tab, saving, canWrite }: SaveProps) {
  const words = useWords(editorWords);
  const state = saving.isPending ? words.saving : isDirty(tab) ? words.unsaved : words.saved;
  return (
    <>
      <Text size="xs" c="dimmed" role="status">
        {canWrite ? state : words.readOnly}
      </Text>
      {canWrite && (
        <Button size="compact-xs" onClick={() => saving.save(tab)} disabled={!isDirty(tab)}>
          {words.save}
        </Button>
      )}
    </>
  );
}
