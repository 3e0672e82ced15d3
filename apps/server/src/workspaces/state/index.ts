export { wantedBell } from './bell.ts';
export { findPerson } from './persons.sql.ts';
export { plainWords } from './plain-words.ts';
export { changePort, findPort, listPorts, noteListening, type PortRow } from './ports.sql.ts';
export { countRunningTime } from './running-time.sql.ts';
export {
  countSnapshots,
  deleteSnapshot,
  insertSnapshot,
  listSnapshots,
  mustFindSnapshot,
  type SnapshotRow,
} from './snapshots.sql.ts';
export { aboutWorkspace, addStoppedAgent, removeStoppedAgent } from './stopped-agents.sql.ts';
export {
  type ActingAgent,
  agentOf,
  isStopped,
  mustNotBeStopped,
  type StoppedAgent,
  stoppedWords,
} from './stopped-agents.ts';
export {
  tellAgentResumed,
  tellAgentStopped,
  tellBranchChanged,
  tellPortOpened,
  tellStarted,
  tellStopped,
} from './workspaces.events.ts';
export {
  changeBranch,
  claimWorkspace,
  countInProject,
  countRunning,
  deleteWorkspace,
  findWorkspace,
  findWorkspaceAnywhere,
  type GivenToRun,
  holdWorkspacesOf,
  insertWorkspace,
  isHeld,
  isReachable,
  listExisting,
  listWanted,
  listWorkspaces,
  markLeaving,
  noteRunning,
  noteState,
  noteStopped,
  noteUse,
  type RunningWorkspace,
  renewWorkspaces,
  sleepIfUnused,
  unwantWorkspace,
  type WantedWorkspace,
  type WorkspaceRow,
  wantWorkspace,
} from './workspaces.sql.ts';
export { portLabel, portView, snapshotView, workspaceView } from './workspaces.view.ts';
