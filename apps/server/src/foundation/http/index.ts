/** The HTTP parts that slices use. The parts that handle every request are imported from their own files. */
export {
  AppError,
  conflict,
  forbidden,
  invalid,
  malformed,
  notFound,
  unauthenticated,
  unavailable,
} from '../app-error.ts';
export { type BuiltFile, forever, listBuiltFiles, sendBuiltFile } from './answers/built-files.ts';
export { type Cause, causeOf, causeOfRun, type Origin, type RequestCause } from './request/cause.ts';
export { askForBasic, type Budget, type Caller, type Guard, principalOf } from './request/guard.ts';
export { handle } from './request/handle.ts';
export { answeredBefore, createOnce, type Once } from './request/idempotency.ts';
export { asPage, type Page } from './request/pagination.ts';
export {
  type Audience,
  type Credential,
  type CredentialKind,
  endOf,
  mayActIn,
  outlives,
  type Principal,
} from './request/principal.ts';
export { trimming } from './request/trimming.ts';
export type { App } from './request/typed-app.ts';
export { type HeavyReads, hasGone, heavyReads } from './turns/heavy-reads.ts';
