import type { Cause } from '../../foundation/http/index.ts';
import type { Blob } from './blobs.ts';
import type { HeadFile } from './changes.ts';

/** One file that somebody puts into a project. */
export type Put = {
  userId: string;
  cause: Cause;
  path: string;
  blob: Blob;
  message: string;
  /** Throws where the file that is there, or that none is there, forbids the write. */
  check(present: HeadFile | null): void;
};
/** The commit is null without version control. */
export type PutDone = { file: HeadFile; created: boolean; commit: Buffer | null };
