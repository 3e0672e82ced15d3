export { filesOf, treeOf } from './branch-files.ts';
export { headOf } from './disk-link.ts';
export { startFollowing } from './following.ts';
export { principalOfWorkspace } from './principal.ts';
export type { Sync } from './sync.ts';
