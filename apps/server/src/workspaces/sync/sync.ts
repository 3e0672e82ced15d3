import { freshFlight } from '../../foundation/concurrency/single-flight.ts';
import type { Channel } from '../agent/channels.mjs';
import { openAgreed } from './agreed.ts';
import { filesOf, followBranch } from './branch-files.ts';
import { openDiskLink } from './disk-link.ts';
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

type Options = UploadOptions & {
  channel: Channel;
  /** The workspace's directory on this worker, for what the sync must know after a restart. */
  directory: string;
  /** The tree that the disk was created from. */
  tree: Buffer | null;
  isNew: boolean;
  maxBytes: number;
  onSaved(): void;
  /** A file on the disk has changed. */
  onDisk?(change: { path: string; isGone: boolean }): void;
  /** The branch is gone. */
  onGone(): void;
  onError(error: unknown): void;
};

const lookMs = 200;

export async function startSync(options: Options): Promise<Sync> {
  const { db, at, channel, directory, tree, isNew, maxBytes, onError } = options;
  const { projectId } = at;
  const agreed = await openAgreed({ db, projectId, directory }, isNew, () => filesOf(db, projectId, tree));
  const branch = followBranch(db, at);
  branch.begin(isNew ? tree : null);
  const onDisk = options.onDisk && { onDisk: options.onDisk };
  const link = openDiskLink({ channel, maxBytes, onReport: () => void look(), ...onDisk });
  const upload = createUpload(options, link, agreed);
  const download = createDownload({ db, at, maxBytes, branch, isWhole: !isNew }, link, agreed);
  let isOver = false;
  let awaited = 0;

  /** Upwards first: a change on the disk is the newest, and what comes down is merged with it. */
  const step = freshFlight(async () => {
    if (isOver || channel.destroyed) return;
    const isAwaited = awaited > 0;
    await upload.run({ isAwaited });
    isOver = !(await download.run());
    if (isOver) options.onGone();
    else if (!download.isLate() && !upload.hasRefused() && link.isEmpty()) options.onSaved();
    await agreed.remember();
  });
  const look = () => step().catch(onError);

  await link.begin(agreed.entries(), { scan: !isNew });
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
    paths: () => agreed.entries().map(({ path }) => path),
    async stop() {
      clearInterval(timer);
      await push().catch(onError);
      isOver = true;
    },
  };
}
