export { dropWhatIsUnused, emptyDeployments, type StorageLimits } from './artifacts/index.ts';
export { checkOut, describeSandbox } from './builds/index.ts';
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
export { type Bell, holdClaims, maxProjectFileBytes, sealedVariables } from './state/index.ts';
export { inheritedVariables, sealedProjectVariables } from './variables/index.ts';
