export { decodeContent, mustFit, prepareBlob } from './blobs.ts';
export type { Change, HeadFile } from './changes.ts';
export { collectGarbage, collectUnversioned } from './collect.service.ts';
export { collectLater } from './collect-later.ts';
export { committedFields } from './commit-row.ts';
export {
  type ContentRow,
  directoryExists,
  findById,
  findByPath,
  findContents,
  findSharedContent,
  idsOfPaths,
  type ListedRow,
  listHead,
  type WantedContent,
} from './files.sql.ts';
export { countObjectsAfter, listAllRefs, nextObjects, type Ref, readState, rootTree } from './git-store.sql.ts';
export { largestCompared, mostCompared, readBlobs } from './head.sql.ts';
export { mimeTypeOf } from './mime-type.ts';
export { headTree, readBlob, readObjects } from './objects.sql.ts';
export { commitsTouching } from './path-history.service.ts';
export { ancestorsOf, nameOf, parseDirectory, parsePath, whyNotPath } from './paths.ts';
export { commitPresentTree } from './present-tree.service.ts';
export { type MostFiles, planFiles, planQuota, type Quota } from './quota.ts';
export type { RefUpdate } from './ref-updates.ts';
export {
  type CommitRow,
  deleteRef,
  findCommit,
  findCommits,
  insertRef,
  listReachable,
  listRefs,
  longestMessage,
  type RefRow,
  resolveCommit,
} from './refs.sql.ts';
export { largestSearched, readTextFiles } from './search.sql.ts';
export {
  type CheckedPush,
  type CommitWithoutGeneration,
  type Pushed,
  type ReceivedObjects,
  storePush,
  type UnpackedObject,
} from './store-push.service.ts';
export { diffTrees, type FileDifference } from './tree-diff.service.ts';
export {
  entriesOf,
  entryAt,
  infoOf,
  isRegular,
  measureTree,
  type TreeListing,
  treeBudget,
  walkTree,
} from './trees.service.ts';
export { type FileWrites, writeFiles, writeInTransaction, writeLocked } from './write-files.service.ts';
export { type PutTogether, putTogether } from './write-group.service.ts';
