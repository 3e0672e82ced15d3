import type { File } from '@bottega/contract';
import { ActionIcon, Box, Button, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconPointFilled, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Dispatch, lazy, Suspense, useEffect } from 'react';
import { confirm } from '../kit/confirm.tsx';
import { NotFoundScreen } from '../kit/error-screen.tsx';
import { Loading } from '../kit/loading.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';
import { contentAddress, contentQuery, downloadAddress, type FileContent } from './file-content.ts';
import { isDirty, type Tab, type useTabs } from './tabs.ts';
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
  change: Dispatch<Parameters<ReturnType<typeof useTabs>[1]>[0]>;
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
            <Box key={tab.path} className="file-tab" data-active={tab === active || undefined}>
              <UnstyledButton onClick={() => open(tab.path)} title={tab.path} aria-current={tab === active}>
                {nameOf(tab.path)}
              </UnstyledButton>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                mx={4}
                onClick={() => close(tab)}
                aria-label={words.close(nameOf(tab.path))}
              >
                {!together.live && isDirty(tab) ? <IconPointFilled size={14} /> : <IconX size={13} />}
              </ActionIcon>
            </Box>
          ))}
          <Group ml="auto" px="xs" gap="xs" wrap="nowrap">
            {active && !together.live && (
              <Text size="xs" c="dimmed" role="status">
                {!canWrite
                  ? words.readOnly
                  : saving.isPending
                    ? words.saving
                    : isDirty(active)
                      ? words.unsaved
                      : words.saved}
              </Text>
            )}
            {active && !together.live && canWrite && (
              <Button size="compact-xs" onClick={() => saving.save(active)} disabled={!isDirty(active)}>
                {words.save}
              </Button>
            )}
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
            {together.editor?.({
              path: tab.path,
              isShown: tab === active,
              line: tab === active ? line : undefined,
            }) ?? (
              <CodeEditor
                path={tab.path}
                label={words.content(tab.path)}
                text={tab.draft}
                readOnly={!canWrite}
                line={tab === active ? line : undefined}
                onChange={(draft) => change({ type: 'typed', path: tab.path, draft })}
                onSave={() => canWrite && saving.save(tab)}
              />
            )}
          </div>
        ))}
      </Suspense>
      {wanted !== undefined && !current && !active && <NotFoundScreen />}
      {wanted === undefined && (
        <Stack align="center" justify="center" gap={4} style={{ flex: 1 }} p="lg" ta="center">
          <Text fw={600}>{words.choose}</Text>
          <Text size="sm" c="dimmed" maw={420}>
            {words.chooseHint}
          </Text>
        </Stack>
      )}
      {saving.dialog}
    </Box>
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
        <img
          src={`/v1${contentAddress(projectId, file.id)}`}
          alt={file.name}
          style={{ maxWidth: '100%', maxHeight: '60dvh' }}
        />
      ) : (
        <Text>{kind === 'large' ? words.large : words.binary}</Text>
      )}
      <Button component="a" href={downloadAddress(projectId, file.id)} variant="default">
        {words.download}
      </Button>
    </Stack>
  );
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
