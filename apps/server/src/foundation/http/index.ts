/** What slices take of HTTP; what every request passes has addresses of its own. */
export {
  AppError,
  conflict,
  forbidden,
  invalid,
  malformed,
  notFound,
  unauthenticated,
  unavailable,
} from './app-error.ts';
export { type BuiltFile, forever, listBuiltFiles, sendBuiltFile } from './built-files.ts';
export { type Cause, causeOf, causeOfRun, type Origin, type RequestCause } from './cause.ts';
export { askForBasic, type Budget, type Caller, type Guard, principalOf } from './guard.ts';
export { handle } from './handle.ts';
export { type HeavyReads, hasGone, heavyReads } from './heavy-reads.ts';
export { answeredBefore, createOnce, type Once } from './idempotency.ts';
export { asPage, type Page } from './pagination.ts';
export {
  type Audience,
  type Credential,
  type CredentialKind,
  endOf,
  outlives,
  type Principal,
} from './principal.ts';
export { trimming } from './trimming.ts';
export type { App } from './typed-app.ts';
