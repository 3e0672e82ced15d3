import { type Db, type Trx, transaction } from '../foundation/db/index.ts';
import type { Ground } from '../foundation/ground.ts';
import type { App, HeavyReads } from '../foundation/http/index.ts';
import type { Tasks } from '../foundation/jobs/enqueue.ts';
import type { Slice } from '../foundation/slice.ts';
import type { FileWrites, Pushed } from '../repository/store/index.ts';
import { type PrepareMerge, testRequest, type WantChecks } from './checks/index.ts';
import { type Landing, reviewing } from './merging/index.ts';
import { advanceQueue, mergingRoutes } from './queue/index.ts';
import {
  createProposals,
  type FindMergeBase,
  followFork,
  followPush,
  mergeRequestRoutes,
  type WithCommitsOf,
} from './requests/index.ts';
import { reviewRoutes } from './review/index.ts';
import { branchRuleRoutes } from './rules/index.ts';
import { allQueues, targetsTesting, wantQueue } from './state/index.ts';

type Needs = {
  merging: Pick<Landing, 'mergeBranches' | 'deleteBranch'> & {
    prepareMerge: PrepareMerge;
    findMergeBase: FindMergeBase;
    withCommitsOf: WithCommitsOf;
  };
  wantChecks: WantChecks;
  heavy: HeavyReads;
  writing: Omit<FileWrites, 'db' | 'publicUrl'>;
};

/** Merge requests: a branch's changes, offered for another branch, reviewed, checked and merged. */
export function createMergeRequests(ground: Ground, { merging, wantChecks, heavy, writing }: Needs) {
  const { db, once, publicUrl } = ground;
  const reading = { db, publicUrl };
  const queue = { ...reading, ...merging, wantChecks, review: reviewing(db, merging.findMergeBase) };
  return {
    proposals: createProposals(reading),
    /** Called in the transaction in which branches move or are deleted. */
    pushed: (trx: Trx, about: Parameters<Pushed>[1]) => followPush(trx, about, publicUrl()),
    routes(api: App) {
      mergeRequestRoutes(api, { ...reading, once, heavy, writing, ...merging });
      reviewRoutes(api, { ...reading, once, writing, ...merging });
      branchRuleRoutes(api, { once });
      mergingRoutes(api, queue);
    },
    jobs: {
      'checks:completed': (payload) => lookAtTests(db, payload),
      'merge-requests:test': (payload) => testRequest(queue, payload),
      'merge-requests:follow': (payload) => followFork({ ...reading, writing, ...merging }, payload),
      'merge-requests:queue': (payload) => advanceQueue(queue, payload),
    },
    // Looks at all queues, because a job that failed for good is not retried by itself.
    cleaning: [lookAtAllQueues],
  } satisfies Slice & Record<string, unknown>;
}

/** Looks again at the queues that wait for a check that has just ended. */
async function lookAtTests(db: Db, { project_id, tree_sha, head_sha }: Tasks['checks:completed']): Promise<void> {
  const tested = { tree: Buffer.from(tree_sha, 'hex'), head: Buffer.from(head_sha, 'hex') };
  await transaction(db, async (trx) => {
    for (const target of await targetsTesting(trx, project_id, tested)) await wantQueue(trx, project_id, target);
  });
}

async function lookAtAllQueues(db: Db): Promise<void> {
  for (const { project_id, target } of await allQueues(db)) {
    await transaction(db, (trx) => wantQueue(trx, project_id, target));
  }
}
