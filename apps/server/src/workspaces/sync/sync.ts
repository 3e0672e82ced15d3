import { freshFlight } from '../../foundation/concurrency/single-flight.ts';
import type { Channel } from '../agent/channels.mjs';
import { openAgreed } from './agreed.ts';
import { filesOf, followBranch, type Target } from './branch-files.ts';
import { type Head, openDiskLink } from './disk-link.ts';
import { createDownload } from './download.ts';
import { createUpload, type UploadOptions } from './upload.ts';

/** Keeps a workspace's disk, the live texts and the branch the same. */
export type Sync = {
  /** Resolves once the disk has what the branch and the live texts had before this call. */
  pull(): Promise<void>;
  /** Resolves once the branch or the live texts have what the disk had before this call. */
  push(): Promise<void>;
  /** The files on which both sides agree. */
  paths(): string[];
  stop(): Promise<void>;
};

/** The sync of one branch. */
export type BranchSync = Sync & {
  /** Asks the agent what HEAD names. */
  tellHead(): void;
  /** Passes on what was reported so far, and then ends the sync with this branch. */
  leave(): Promise<void>;
};

export type SyncOptions = UploadOptions & {
  channel: Channel;
  /** The workspace's directory on this worker, for what the sync must know after a restart. */
  directory: string;
  /** The tree of the branch from which the disk was created. */
  tree: Buffer | null;
  isNew: boolean;
  /** The files of the tree, if they are already being listed. */
  listed: Promise<Target[]> | null;
  /** The disk must be scanned even if it is new, because it may differ from the tree. */
  mustScan: boolean;
  maxBytes: number;
  onSaved(): void;
  /** A file on the disk has changed. */
  onDisk?(change: { path: string; isGone: boolean }): void;
  /** The branch is gone. */
  onGone(): void;
  /** Called when HEAD names something else than before. */
  onHead(head: Head): void;
  onError(error: unknown): void;
};

const lookMs = 200;

export async function startSync(options: SyncOptions): Promise<BranchSync> {
  const { db, at, channel, directory, tree, listed, isNew, mustScan, maxBytes, onHead, onError } = options;
  const agreed = await openAgreed(
    { db, at, directory, maxBytes },
    isNew,
    () => listed ?? filesOf(db, at.projectId, tree),
  );
  const branch = followBranch(db, at);
  const isWhole = !isNew && agreed.tree === undefined;
  branch.begin((isNew ? tree : agreed.tree) ?? null, agreed.unsaved());
  const onDisk = options.onDisk && { onDisk: options.onDisk };
  const link = openDiskLink({ channel, maxBytes, onReport: () => void look(), onHead, ...onDisk });
  const upload = createUpload(options, link, agreed);
  const download = createDownload({ db, at, maxBytes, branch, isWhole }, link, agreed);
  let isOver = false;
  let awaited = 0;

  /**
   * Uploads first: changes on the disk are the newest, and the branch's changes are merged with them before they are
   * downloaded.
   */
  const step = freshFlight(async () => {
    if (isOver || channel.destroyed) return;
    const isAwaited = awaited > 0;
    await upload.run({ isAwaited });
    isOver = !(await download.run());
    if (isOver) return options.onGone();
    if (!download.isLate() && !upload.hasRefused() && link.isEmpty()) options.onSaved();
    await remember();
  });
  const remember = (isLast = false) => agreed.remember(download.isLate() ? undefined : branch.tree(), { isLast });
  const look = () => step().catch(onError);

  await link.begin(agreed.entries(), { scan: mustScan || !isNew });
  await step();
  const timer = setInterval(look, lookMs);
  const push = async () => {
    await link.flush();
    awaited += 1;
    await step().finally(() => {
      awaited -= 1;
    });
  };
  return {
    pull: step,
    push,
    tellHead: link.tellHead,
    async leave() {
      clearInterval(timer);
      awaited += 1;
      await step().catch(onError);
      await remember(true).catch(onError);
      isOver = true;
      channel.destroy();
    },
    paths: () => agreed.entries().map(({ path }) => path),
    async stop() {
      clearInterval(timer);
      await push().catch(onError);
      await remember(true).catch(onError);
      await link.remember();
      isOver = true;
    },
  };
}
