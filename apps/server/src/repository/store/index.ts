export { allObjects, asPacked } from './all-objects.service.ts';
export { decodeContent, mustFit, prepareBlob } from './blobs.ts';
export { findOnBranches, type WantedOnBranch } from './branch-contents.sql.ts';
export { commitToBranchFrom, makeBranch, noBranch } from './branch-creation.service.ts';
export { branchView, findIdInView, rowsOfEntries, type View, viewOfRef } from './branch-view.service.ts';
export type { Change, HeadFile } from './changes.ts';
export { collectGarbage, collectLater, collectUnversioned, packSoon } from './collect.service.ts';
export {
  type CommitRow,
  findCommit,
  findCommits,
  findTip,
  isReachable,
  longestMessage,
  type NewCommitRow,
  resolveCommit,
} from './commits.sql.ts';
export {
  type ContentRow,
  contentsOf,
  findContents,
  findFileAt,
  findSharedContent,
  type HeadFileRow,
  type WantedContent,
} from './contents.sql.ts';
export { derivedId } from './derived-id.ts';
export { emptyRepository } from './empty-project.sql.ts';
export {
  directoryExists,
  findById,
  type ListedRow,
  listHead,
  measureFiles,
} from './files.sql.ts';
export { headTree, largestCompared } from './head.sql.ts';
export { fileAtHead, fileOfHead, readHeadsOf } from './head-files.service.ts';
export { type HeadReads, readsOf } from './head-reads.ts';
export { historyLength, jumpInHistory, readHistoryPage } from './history.service.ts';
export { mimeTypeOf } from './mime-type.ts';
export { committedFields, newCommit } from './new-commit.ts';
export { isObjectAt, readBlob, readObjects } from './objects.service.ts';
export { countObjectsAfter, nextObjects } from './objects.sql.ts';
export { deletePackedRows, finishPacking } from './packs/finish-packing.service.ts';
export { storeHistory } from './packs/histories.service.ts';
export { listUnpacked } from './packs/packing.sql.ts';
export { listPacks, type Pack, readBuckets, readPieces } from './packs/packs.sql.ts';
export { fewestObjects, planPack } from './packs/plan-pack.service.ts';
export { type PackFiles, storePack } from './packs/store-pack.service.ts';
export { commitsTouching } from './path-history.service.ts';
export { ancestorsOf, nameOf } from './paths.ts';
export { commitPresentTree } from './present-tree.service.ts';
export { appendPushed } from './pushed.events.ts';
export {
  type MostFiles,
  maxFilesOf,
  planFiles,
  planQuota,
  planStorage,
  type Quota,
  type StorageLeft,
} from './quota.ts';
export type { RefUpdate } from './ref-updates.ts';
export {
  deleteRefs,
  findRef,
  type LastObject,
  listAllRefs,
  listRefs,
  putRefs,
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
  storeAside,
  storePush,
  type UnpackedObject,
} from './store-push.service.ts';
export { textFilesOfMain, textFilesOfView } from './text-files.service.ts';
export { diffTrees, type FileDifference } from './tree-diff.service.ts';
export {
  entriesOf,
  entryAt,
  infoOf,
  measureTree,
  readBlobs,
  type TreeListing,
  treeBudget,
  walkTree,
} from './trees.service.ts';
export { type FileWrites, writeFiles, writeInTransaction, writeLocked } from './write-files.service.ts';
export { type GroupedPut, groupPuts } from './write-group.service.ts';
