import type { ReviewThread } from '@bottega/contract';
import { Alert, Box, Button, Drawer, Group, Stack, Text, Title } from '@mantine/core';
import { useElementSize, useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, useMemo, useState } from 'react';
import { DiffViewSwitch } from '../diff/diff-view.tsx';
import type { FileChange } from '../history/changed-file.tsx';
import { Loading } from '../kit/loading.tsx';
import { Empty } from '../kit/page.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { changesWords } from './changes.words.ts';
import { countsQuery, diffQuery, type Versions } from './diff-query.ts';
import { FileList } from './file-list.tsx';
import { FinishReview } from './finish-review.tsx';
import { versionsQuery } from './requests-query.ts';
import { useReview } from './review-context.ts';
import { ReviewFiles } from './review-files.tsx';
import { fileElement, showFile } from './show-file.ts';
import { threadWords } from './thread.words.ts';
import { ThreadCard } from './thread-card.tsx';
import { useReviewKeys } from './use-review-keys.ts';
import { useShownThread } from './use-shown-thread.ts';
import { useViewed, type Viewed } from './use-viewed.ts';
import { NewerVersion, VersionPicker } from './version-picker.tsx';

type Shown = { from: number | undefined; to: number | undefined };
type Props = Shown & { thread: string | undefined; show: (versions: Shown) => void };

/** The changes of the merge request, which people can read and comment on. */
export default function ChangesTab({ from, to: asked, thread, show }: Props) {
  const words = useWords(changesWords);
  const { which, request, may } = useReview();
  const newest = request.version;
  const [latest, follow] = useLatest(newest);
  const to = Math.min(asked ?? latest, newest);
  const versions = useMemo(
    (): Versions => ({ from: from !== undefined && from < to ? from : undefined, to }),
    [from, to],
  );
  const all = useQuery(versionsQuery(which));
  const diff = useQuery(diffQuery(which, versions, newest));
  const files = diff.data?.files ?? [];
  const viewed = useViewed(versions);
  const { ref, height } = useElementSize();
  useReviewKeys(files.length);
  useFileOfThread(thread, files);
  const choose = (wanted: Shown) => {
    follow(newest);
    show(wanted);
  };
  return (
    <Stack gap="sm" className="changes" style={{ '--bar-height': `${height}px` } as CSSProperties}>
      <Group className="changes-bar" ref={ref} justify="space-between" gap="xs">
        <Group gap="sm">
          <VersionPicker all={all.data ?? []} versions={versions} newest={newest} show={choose} />
          {viewed && files.length > 0 && (
            <Text size="sm" c="dimmed" role="status">
              {words.viewedCount(files.filter(({ path }) => viewed.paths.has(path)).length, files.length)}
            </Text>
          )}
        </Group>
        <Group gap="xs">
          <DiffViewSwitch />
          {may.comment && request.state === 'open' && <FinishReview seen={diff.data?.to_sha} />}
        </Group>
      </Group>
      {to < newest && <NewerVersion show={() => choose({ from: undefined, to: undefined })} />}
      <Refusal error={diff.error} retry={diff.refetch} />
      {diff.isPending && <Loading />}
      {diff.data?.truncated && (
        <Alert color="yellow" variant="light" py="xs" role="status">
          {words.truncated}
        </Alert>
      )}
      {diff.data && files.length === 0 && <Empty title={words.none} hint={words.noneHint} />}
      {files.length > 0 && <Files files={files} versions={versions} viewed={viewed} />}
      {to === newest && <Outdated />}
    </Stack>
  );
}

/**
 * The version that is shown as the newest. It stays while a form is open among the changes, because a newer version
 * would replace the lines together with the form and its text. It also stays while the review is being finished, which
 * is about the changes that were shown.
 */
function useLatest(newest: number) {
  const [latest, follow] = useState(newest);
  if (latest !== newest && document.querySelector('.review-files form, .review-form') === null) follow(newest);
  return [latest, follow] as const;
}

type FilesProps = { files: FileChange[]; versions: Versions; viewed: Viewed | null };

/** The changed files, with a list of them beside. If there is no room, the list is in a drawer. */
function Files({ files, versions, viewed }: FilesProps) {
  const words = useWords(changesWords);
  const { which, threads } = useReview();
  const hasMore = files.some(({ diff }) => diff === null);
  const { data: counted } = useQuery({ ...countsQuery(which, versions), enabled: hasMore });
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });
  const [isListOpen, setListOpen] = useState(false);
  const [current, setCurrent] = useState<string | null>(null);
  const counts = useMemo(() => openThreads(threads), [threads]);
  const go = (path: string) => {
    setCurrent(path);
    setListOpen(false);
    showFile(files.findIndex((file) => file.path === path));
  };
  const list = (
    <FileList files={counted ?? files} viewed={viewed?.paths ?? new Set()} threads={counts} current={current} go={go} />
  );
  return (
    <div className="changes-grid">
      {isWide ? (
        <aside className="changes-list">{list}</aside>
      ) : (
        <Box>
          <Button size="xs" variant="default" onClick={() => setListOpen(true)}>
            {words.files(files.length)}
          </Button>
          <Drawer opened={isListOpen} onClose={() => setListOpen(false)} title={words.fileList} returnFocus={false}>
            {list}
          </Drawer>
        </Box>
      )}
      <ReviewFiles files={files} versions={versions} viewed={viewed} />
    </div>
  );
}

function openThreads(threads: readonly ReviewThread[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { path, outdated, resolved } of threads) {
    if (path !== null && !outdated && !resolved) counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return counts;
}

/** Threads whose lines no longer exist in the newest version, with the lines as they were. */
function Outdated() {
  const words = useWords(threadWords);
  const { threads } = useReview();
  const outdated = threads.filter((thread) => thread.outdated);
  if (outdated.length === 0) return null;
  return (
    <Stack component="section" gap="xs" mt="md">
      <Title order={2} fz="sm">
        {words.outdatedThreads(outdated.length)}
      </Title>
      {outdated.map((thread) => (
        <ThreadCard key={thread.id} thread={thread} isApart />
      ))}
    </Stack>
  );
}

/** Scrolls to the file of the thread that the URL names, because the thread itself may not be in the page yet. */
function useFileOfThread(id: string | undefined, files: readonly FileChange[]): void {
  const { threads } = useReview();
  const path = threads.find((thread) => thread.id === id)?.path;
  const index = files.findIndex((file) => file.path === path);
  useShownThread(id, index >= 0, () => fileElement(index));
}
