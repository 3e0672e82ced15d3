import { reasonSentence } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import { AppError } from '../../foundation/http/index.ts';
import type { HeadAt } from '../../repository/objects/ref-names.ts';
import { type CommitRow, findCommits } from '../../repository/store/index.ts';
import type { Channel } from '../agent/channels.mjs';
import { hasAgreed } from './agreed.ts';
import type { Head } from './disk-link.ts';
import { createPauses } from './growing-pauses.ts';
import { createLatest } from './latest.ts';
import { type BranchSync, type Sync, type SyncOptions, startSync } from './sync.ts';

type Options = Omit<SyncOptions, 'channel' | 'onHead' | 'mustScan'> & {
  /** Opens the agent's stream for the files of a branch. */
  openChannel(branch: string): Channel;
  /** What HEAD of the workspace's repository names. */
  askHead(): Promise<Head>;
  /**
   * Makes this the branch of the workspace. If the branch does not exist, it is created at the commit. Throws if that
   * is refused.
   */
  moveTo(at: HeadAt, from: CommitRow): Promise<void>;
  /** Called with the reason why nothing is saved at present, or with null when saving goes on. */
  onPaused(reason: string | null): void;
};

const retryMs = 1_000;

/**
 * Keeps the disk in sync with the branch that HEAD of the workspace's repository names. After a checkout of another
 * branch, the sync goes on with that branch, from the newest commit that both the workspace and the service have. So
 * the files that the checkout wrote do not count as changes.
 */
export async function startFollowing(options: Options): Promise<Sync> {
  const { db, openChannel, onPaused, onError } = options;
  let at = options.at;
  let paused: string | null = null;

  const { promise: hasBegun, resolve: begun } = Promise.withResolvers<void>();

  let untold: Head | null = null;
  const pauses = createPauses();

  async function start(where: HeadAt, from: Pick<SyncOptions, 'tree' | 'isNew' | 'mustScan'>): Promise<BranchSync> {
    const channel = openChannel(where.branch);
    const onSaved = () => (paused === null ? options.onSaved() : undefined);
    try {
      const listed = from.tree === options.tree ? options.listed : null;
      return await startSync({ ...options, ...from, listed, at: where, channel, onSaved, onHead });
    } catch (error) {
      channel.destroy();
      throw error;
    }
  }

  const heads = createLatest(async (head: Head) => {
    await hasBegun;
    await follow(head).catch((error: unknown) => {
      untold = head;
      pause(reasonSentence('checkout_failed'));
      onError(error);
    });
  });
  const onHead = heads.add;

  function pause(reason: string | null): void {
    if (reason === null && paused === null) return;
    paused = reason;
    onPaused(reason);
  }

  async function follow(head: Head): Promise<void> {
    untold = null;
    if (head.branch === at.branch || !head.isElsewhere) return pause(null);
    const found = await startOf(db, at.projectId, head);
    if (typeof found === 'string') return pause(found);
    // Moves are slowed down, because each one reads the whole tree and sends an event.
    await pauses.untilDue();
    if (heads.hasNewer()) return;
    pauses.note();
    const next = { projectId: at.projectId, branch: head.branch ?? '' };
    const refusal = await refusalOf(options.moveTo(next, found));
    if (refusal !== null) return pause(reasonSentence('checkout_refused', { branch: next.branch, detail: refusal }));
    await current.leave();
    current = await start(next, { tree: found.tree_sha, isNew: true, mustScan: true });
    at = next;
    pause(null);
  }

  /** Tries again while nothing is saved: the service may learn of the branch later, for example from a push. */
  function again(): void {
    if (paused === null || heads.isBusy()) return;
    if (untold) onHead(untold);
    else current.tellHead();
  }

  let current = await start(at, await beginning(options));
  begun();
  const asking = setInterval(again, retryMs);
  await heads.settled();
  return {
    paths: () => current.paths(),
    async pull() {
      await heads.settled();
      await current.pull();
    },
    async push() {
      for (let before: BranchSync | null = null; before !== current; ) {
        before = current;
        await current.push();
        await heads.settled();
      }
    },
    async stop() {
      clearInterval(asking);
      await heads.settled();
      await current.stop();
    },
  };
}

/**
 * What the sync takes the disk to have at its start. If a worker stopped just after a checkout, that is the commit of
 * HEAD.
 */
async function beginning({ db, at, directory, tree, isNew, askHead }: Options) {
  const usual = { tree, isNew, mustScan: false };
  if (isNew || (await hasAgreed(directory, at))) return usual;
  const head = await askHead();
  const found = head.branch === at.branch ? await startOf(db, at.projectId, head) : null;
  return found === null || typeof found === 'string' ? usual : { tree: found.tree_sha, isNew: true, mustScan: true };
}

async function refusalOf(work: Promise<void>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return error.message;
    throw error;
  }
}

/** The newest commit in HEAD's history that the service has, or the reason why there is none. */
async function startOf(db: Db, projectId: string, { branch, commits }: Head): Promise<CommitRow | string> {
  if (branch === null) return reasonSentence('head_detached');
  const [newest] = await findCommits(db, projectId, commits);
  return newest ?? reasonSentence('branch_unknown', { branch });
}
