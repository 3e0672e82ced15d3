import type { Trx } from '../foundation/db/index.ts';
import type { Ground } from '../foundation/ground.ts';
import type { App, HeavyReads } from '../foundation/http/index.ts';
import type { Slice } from '../foundation/slice.ts';
import type { FileWrites, Pushed } from '../repository/store/index.ts';
import { createProposals, followPush, mergeRequestRoutes } from './requests/index.ts';
import { reviewRoutes } from './review/index.ts';

type Requests = Parameters<typeof mergeRequestRoutes>[1];

type Needs = {
  merging: Pick<Requests, 'mergeBranches' | 'findMergeBase' | 'deleteBranch'>;
  heavy: HeavyReads;
  writing: Omit<FileWrites, 'db' | 'publicUrl'>;
};

/** Merge requests: a branch's changes, offered for another branch, and reviewed. */
export function createMergeRequests(ground: Ground, { merging, heavy, writing }: Needs) {
  const { db, once, publicUrl } = ground;
  return {
    proposals: createProposals({ db, publicUrl }),
    /** Called in the transaction in which branches move or are deleted. */
    pushed: (trx: Trx, about: Parameters<Pushed>[1]) => followPush(trx, about, publicUrl()),
    routes(api: App) {
      mergeRequestRoutes(api, { db, publicUrl, once, heavy, ...merging });
      reviewRoutes(api, { db, publicUrl, once, writing, ...merging });
    },
  } satisfies Slice & Record<string, unknown>;
}
