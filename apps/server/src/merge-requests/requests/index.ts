export { type FindMergeBase, versionWithBase } from './diff.service.ts';
export { followFork } from './forks.service.ts';
export type { WithCommitsOf } from './offers.ts';
export { createProposals } from './proposals.service.ts';
export { type Reading, readableRequest, type Which } from './read.service.ts';
export { mergeRequestRoutes, whichOf } from './requests.routes.ts';
export { followPush } from './versions.service.ts';
