export { findMergeBase } from './compare.service.ts';
export { type Asked as MergeAsked, mergeBranches } from './merge.service.ts';
export { setPlainAttributes } from './merge-directory.ts';
export { mergeTrees } from './merge-trees.ts';
export { mergingRoutes } from './merging.routes.ts';
export { type Preparing, prepareMerge } from './prepare.service.ts';
export { MergeRefused } from './refusals.ts';
