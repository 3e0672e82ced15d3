export { setPlainAttributes } from './merge-directory.ts';
export { mergeTrees } from './merge-trees.ts';
export { mergingRoutes } from './merging.routes.ts';
