import type { Cause } from '../../foundation/http/index.ts';
import type { Blob } from './blobs.ts';
import type { HeadFile } from './changes.ts';

/** One file that a user writes to a project. */
export type Put = {
  userId: string;
  cause: Cause;
  path: string;
  blob: Blob;
  message: string;
  /** Throws if the current file, or its absence, does not allow the write. */
  check(present: { checksum: Buffer | null } | null): void;
};
/** `commit` is null without version control. */
export type PutDone = { file: HeadFile; created: boolean; commit: Buffer | null };
