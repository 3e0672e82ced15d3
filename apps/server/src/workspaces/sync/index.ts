export { treeOf } from './branch-files.ts';
export { type Sync, startSync } from './sync.ts';
