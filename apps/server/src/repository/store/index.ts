export { decodeContent, mustFit, prepareBlob } from './blobs.ts';
export type { Change, HeadFile } from './changes.ts';
export { collectGarbage, collectLater, collectUnversioned } from './collect.service.ts';
export {
  type CommitRow,
  findCommit,
  findCommits,
  longestMessage,
  type NewCommitRow,
  resolveCommit,
} from './commits.sql.ts';
export {
  type ContentRow,
  contentsOf,
  findContents,
  findFileAt,
  findFileOf,
  findSharedContent,
  type HeadFileRow,
  readTextFiles,
  type WantedContent,
} from './contents.sql.ts';
export { emptyRepository } from './empty-project.sql.ts';
export {
  directoriesFrom,
  directoryExists,
  findById,
  findByPath,
  idsOfPaths,
  type ListedRow,
  listHead,
  measureFiles,
  pathsBelow,
  readHeads,
} from './files.sql.ts';
export { headTree, largestCompared } from './head.sql.ts';
export { historyLength, jumpInHistory, readHistoryPage } from './history.service.ts';
export { mimeTypeOf } from './mime-type.ts';
export { committedFields, newCommit } from './new-commit.ts';
export { countObjectsAfter, isObjectAt, nextObjects, readBlob, readObjects } from './objects.sql.ts';
export { commitsTouching } from './path-history.service.ts';
export { ancestorsOf, nameOf } from './paths.ts';
export { commitPresentTree } from './present-tree.service.ts';
export {
  type MostFiles,
  mostFilesOf,
  planFiles,
  planQuota,
  planStorage,
  type Quota,
  type StorageLeft,
} from './quota.ts';
export type { RefUpdate } from './ref-updates.ts';
export {
  deleteRefs,
  insertRef,
  type LastObject,
  listAllRefs,
  listRefs,
  type Ref,
  type RefRow,
  readState,
  resolveBranch,
} from './refs.sql.ts';
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
  readBlobs,
  type TreeListing,
  treeBudget,
  walkTree,
} from './trees.service.ts';
export { type FileWrites, writeFiles, writeInTransaction, writeLocked } from './write-files.service.ts';
export { type GroupedPut, groupPuts } from './write-group.service.ts';
