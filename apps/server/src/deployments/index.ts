export { dropWhatIsUnused, emptyDeployments, type StorageLimits } from './artifacts/index.ts';
export {
  checkOut,
  describeSandbox,
  type Interruption,
  runLogged,
  type WorkKind,
  whatWasUnavailable,
} from './builds/index.ts';
export {
  appendLogLine,
  createMask,
  deleteOldLines,
  followLogs,
  type LogBook,
  type LogOf,
  type LogWriter,
  lastLineOf,
  logsAsJson,
  openLogWriter,
  tellingLine,
  untilBack,
} from './logs/index.ts';
export {
  movePieces,
  ObjectsAwayError,
  objectReader,
  objectsLock,
  openPieceWriter,
  PieceLostError,
  type Pieces,
  tryBucket,
} from './pieces/index.ts';
export {
  type AgentFiles,
  type BuildDriver,
  defaultJobsRoot,
  giveTo,
  isInEngine,
  type JobsDirectory,
  type Limits,
  type Running,
  removeTree,
  type Sandbox,
  SandboxError,
} from './sandbox/index.ts';
export {
  exchange,
  hopByHop,
  type OtherAddresses,
  passUpgrade,
  plainPage,
  refuseUpgrade,
  type ToApp,
} from './serving/index.ts';
export {
  asSandboxProblem,
  type Bell,
  BuildProblem,
  holdClaims,
  type Lease,
  leaseSeconds,
  maxAttempts,
  maxOutages,
  maxProjectFileBytes,
  noteTurn,
  sealedVariables,
  sharesOf,
  type Taker,
} from './state/index.ts';
export { inheritedVariables, inheritedVersions, sealedProjectVariables } from './variables/index.ts';
