import type { File } from '@bottega/contract';
import { ActionIcon, Box, Button, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconPointFilled, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { confirm } from '../kit/confirm.tsx';
import { NotFoundScreen } from '../kit/error-screen.tsx';
import { Loading } from '../kit/loading.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { contentLink, contentQuery, downloadLink, type FileContent } from './file-content.ts';
import { NoFileOpen } from './no-file-open.tsx';
import { type ChangeTabs, isDirty, type Tab } from './tabs.ts';
import { useSaving } from './use-saving.tsx';
import type { Together } from './use-together.tsx';

const CodeEditor = lazy(() => import('./code-editor.tsx'));

type Props = {
  projectId: string;
  files: readonly File[];
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
        <Group
          gap={0}
          wrap="nowrap"
          mih={36}
          role="group"
          aria-label={words.openFiles}
          style={{ overflowX: 'auto', borderBottom: '1px solid var(--surface-line)', flexShrink: 0 }}
        >
          {tabs.map((tab) => (
            <FileTab
              key={tab.path}
              path={tab.path}
              isActive={tab === active}
              hasUnsaved={!together.live && isDirty(tab)}
              open={() => open(tab.path)}
              close={() => void close(tab)}
            />
          ))}
          <Group ml="auto" px="xs" gap="xs" wrap="nowrap">
            {active && !together.live && <SaveState tab={active} saving={saving} canWrite={canWrite} />}
            {together.button}
          </Group>
        </Group>
      )}
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

type FileTabProps = { path: string; isActive: boolean; hasUnsaved: boolean; open: () => void; close: () => void };

function FileTab({ path, isActive, hasUnsaved, open, close }: FileTabProps) {
  const words = useWords(editorWords);
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    <Box className="file-tab" data-active={isActive || undefined}>
      <UnstyledButton onClick={open} title={path} aria-current={isActive}>
        {name}
      </UnstyledButton>
      <ActionIcon variant="subtle" color="gray" size="sm" mx={4} onClick={close} aria-label={words.close(name)}>
        {hasUnsaved ? <IconPointFilled size={14} /> : <IconX size={13} />}
      </ActionIcon>
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

type OpeningProps = { projectId: string; file: File; change: Props['change']; isOpen: boolean };

/** Reads the file that the address names into a tab; what is no text is shown or offered for download here. */
function Opening({ projectId, file, change, isOpen }: OpeningProps) {
  const content = useQuery(contentQuery(projectId, file));
  const { data } = content;
  useEffect(() => {
    if (data?.kind !== 'text') return;
    change({ type: 'loaded', tab: { path: file.path, fileId: file.id, stored: data.text, etag: data.etag } });
  }, [data, file.path, file.id, change]);
  if (content.error) return <Refusal error={content.error} retry={content.refetch} />;
  if (!data) return isOpen ? null : <Loading />;
  return data.kind === 'text' ? null : <NoText kind={data.kind} projectId={projectId} file={file} />;
}

function NoText({ kind, projectId, file }: { kind: FileContent['kind']; projectId: string; file: File }) {
  const words = useWords(editorWords);
  return (
    <Stack align="center" justify="center" style={{ flex: 1 }} p="lg">
      {kind === 'image' ? (
        <img src={contentLink(projectId, file.id)} alt={file.name} style={{ maxWidth: '100%', maxHeight: '60dvh' }} />
      ) : (
        <Text>{kind === 'large' ? words.large : words.binary}</Text>
      )}
      <Button component="a" href={downloadLink(projectId, file.id)} variant="default">
        {words.download}
      </Button>
    </Stack>
  );
}
