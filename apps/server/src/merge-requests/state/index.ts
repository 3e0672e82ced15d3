export {
  authorsIn,
  changeComment,
  deleteComment,
  findComment,
  insertComment,
  type Measure,
  measureComments,
  noteApplied,
  type StoredComment,
  sendDrafts,
} from './comments.sql.ts';
export { emptyMergeRequests } from './empty-project.sql.ts';
export {
  addSourceBytes,
  hasMerged,
  noteSourceProblem,
  noteStarted,
  offeredBy,
  openRequestsOfFork,
} from './forks.sql.ts';
export { wantFollow, wantQueue, wantTest } from './jobs.ts';
export { notifyOfManyMentions, notifyOfMentions, type Text } from './mentions.ts';
export {
  allQueues,
  deleteEntry,
  type Entry,
  findEntry,
  insertEntry,
  listEntries,
  noteEntryTest,
  queuedTargets,
  targetsTesting,
} from './queue.sql.ts';
export {
  type About,
  type RequestEvent,
  tellComment,
  tellDequeued,
  tellRequest,
  tellReview,
} from './requests.events.ts';
export {
  alreadyOpen,
  changeRequest,
  countRequests,
  findRequest,
  insertRequest,
  listMembers,
  listOwnRequests,
  listQueued,
  listRequests,
  noteMerged,
  openRequestsFrom,
  openRequestsTo,
  type RequestRow,
  scopeOfChecks,
  setPeople,
  type Which,
} from './requests.sql.ts';
export { requestUrl, requestView, versionView } from './requests.view.ts';
export {
  insertReview,
  listReviews,
  listVerdicts,
  listViewed,
  markViewed,
  notePatchId,
  unmarkViewed,
  type Verdict,
} from './reviews.sql.ts';
export { commentView, reviewView, threadView } from './reviews.view.ts';
export { findTest, noteTest, type PlannedCheck } from './tests.sql.ts';
export {
  deleteThreadWithoutComments,
  findThread,
  insertThread,
  listThreads,
  notePlace,
  noteResolved,
  type Origin,
  type Place,
  type ThreadRow,
} from './threads.sql.ts';
export { findVersion, insertVersion, listVersions, noteMergeBase, type VersionRow } from './versions.sql.ts';
