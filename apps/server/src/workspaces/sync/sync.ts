import { freshFlight } from '../../foundation/concurrency/single-flight.ts';
import type { Db } from '../../foundation/db/index.ts';
import type { HeadAt } from '../../repository/objects/ref-names.ts';
import type { Channel } from '../agent/channels.mjs';
import { type Agreed, openAgreed } from './agreed.ts';
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
  stop(): Promise<void>;
};

type ReadOptions = {
  db: Db;
  at: HeadAt;
  /** The workspace's directory on this worker, for what the sync must know after a restart. */
  directory: string;
  /** The tree that the disk was created from. */
  tree: Buffer | null;
  isNew: boolean;
};

type Options = UploadOptions & {
  channel: Channel;
  agreed: Agreed;
  tree: Buffer | null;
  isNew: boolean;
  maxBytes: number;
  onSaved(): void;
  /** The branch is gone. */
  onGone(): void;
  onError(error: unknown): void;
};

const lookMs = 200;

/** What the disk has, read while its sandbox starts. */
export const readAgreed = ({ db, at: { projectId }, directory, tree, isNew }: ReadOptions): Promise<Agreed> =>
  openAgreed({ db, projectId, directory }, isNew, () => filesOf(db, projectId, tree));

export async function startSync(options: Options): Promise<Sync> {
  const { db, at, channel, agreed, tree, isNew, maxBytes, onError } = options;
  const branch = followBranch(db, at);
  const isWhole = !isNew && agreed.tree === undefined;
  branch.begin((isNew ? tree : agreed.tree) ?? null, agreed.unsaved());
  const link = openDiskLink({ channel, maxBytes, onReport: () => void look() });
  const upload = createUpload(options, link, agreed);
  const download = createDownload({ db, at, maxBytes, branch, isWhole }, link, agreed);
  let isOver = false;
  let awaited = 0;

  /** Upwards first: a change on the disk is the newest, and what comes down is merged with it. */
  const step = freshFlight(async () => {
    if (isOver || channel.destroyed) return;
    const isAwaited = awaited > 0;
    await upload.run({ isAwaited });
    isOver = !(await download.run());
    if (isOver) return options.onGone();
    if (!download.isLate() && !upload.hasRefused() && link.isEmpty()) options.onSaved();
    await agreed.remember(download.isLate() ? undefined : branch.tree());
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
    async stop() {
      clearInterval(timer);
      await push().catch(onError);
      await link.remember();
      isOver = true;
    },
  };
}
