export {
  addAnnotations,
  dropAnnotations,
  dropOldAnnotations,
  listAnnotations,
  maxAnnotations,
} from './annotations.sql.ts';
export { checkBook, logOfCheck } from './check-logs.sql.ts';
export {
  type CheckRow,
  countQueued,
  findDefined,
  findOfTree,
  findReported,
  findRun,
  insertRun,
  listRuns,
  lockRun,
  sealedCheckVariables,
} from './check-runs.sql.ts';
export { tellAllCompleted, tellCompleted } from './checks.events.ts';
export { checkView, isPassed, stateOf } from './checks.view.ts';
export { emptyChecks } from './empty-project.sql.ts';
export { registerCheckMetrics } from './metrics.ts';
export { findSkippedBecauseOf, skipBlocked } from './needs.sql.ts';
export {
  type Claim,
  claimNext,
  countTime,
  type Ending,
  endRun,
  endUnheld,
  lockOrphans,
  releaseRun,
  renewLeases,
  requestCancel,
  requeueOrphan,
  resetRuns,
} from './queue.sql.ts';
export { changeReport, countReports, findReport, putReport, type Report } from './reports.sql.ts';
