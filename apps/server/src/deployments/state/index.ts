export { type Bell, createBell } from './bell.ts';
export { isBranchLabel } from './branch-label.ts';
export { asSandboxProblem, BuildProblem } from './build-problem.ts';
export { findSourceError, placeOf } from './compiler-errors.ts';
export { appendCompleted, appendFailed, appendStarted, type Built } from './deployments.events.ts';
export {
  type DeploymentRow,
  findDeployment,
  findPeople,
  handOver,
  insertDeployment,
  type LastSettings,
  lastSettings,
  listDeployments,
  listEnvironments,
  listSameBuilds,
  lockDeployment,
  type NewDeployment,
  pointLive,
  type SameBuild,
  sealedVariables,
  supersedePushed,
} from './deployments.sql.ts';
export { type Addresses, addressesOf, asDeployment, asDeploymentForOutsider, encodedPath } from './deployments.view.ts';
export { liveNames } from './live-names.ts';
export { maxProjectFileBytes, parseProjectFile } from './project-file.ts';
export {
  type Claim,
  claimNext,
  endBuild,
  endOrphan,
  holdClaims,
  isBuildingElsewhere,
  type Lease,
  leaseSeconds,
  lockOrphans,
  maxAttempts,
  maxOutages,
  noteArtifact,
  noteTurn,
  readBuildQueue,
  releaseBuild,
  renewLeases,
  requestCancel,
  requeueOrphan,
  sharesOf,
} from './queue.sql.ts';
export { mustFindDeployment, readableDeployment } from './readable-deployment.ts';
export type { Taker } from './taker.ts';
export { countBuilds } from './usage.sql.ts';
