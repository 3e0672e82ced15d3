export { dropCachesOf } from './caches/index.ts';
export { appliesTo, type CheckDefinition, definitionDigest, definitionsIn } from './definitions/index.ts';
export {
  type CheckRow,
  checkView,
  emptyChecks,
  isPassed,
  sealedCheckVariables,
} from './state/index.ts';
export { findReports, findRuns, type Wanted } from './wanting/index.ts';
