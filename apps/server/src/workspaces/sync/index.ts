export { treeOf } from './branch-files.ts';
export { readAgreed, type Sync, startSync } from './sync.ts';
