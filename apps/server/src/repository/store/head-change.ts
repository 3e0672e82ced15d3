import { isMain, mainBranch } from '../objects/ref-names.ts';
import type { HeadFile } from './changes.ts';
import type { NewCommitRow } from './commits.sql.ts';
import type { StoredObject } from './objects.sql.ts';

/** `createdAt` is absent for a new directory. */
export type PutDirectory = { id: string; path: string; treeSha: Buffer; createdAt?: Date | undefined };

/**
 * Changes to the objects and rows of one project, whose row the transaction has locked. Parts that are absent do not
 * change.
 */
export type HeadChange = {
  projectId: string;
  /** `main` by default. */
  branch?: string;
  objects?: StoredObject[];
  /** Commits in order, each the parent of the next. The branch moves to the last one, or stays if there are none. */
  commits?: NewCommitRow[];
  /** The `beside` of all these commits. It is the same as that of the first commit's parent. */
  beside?: number | null;
  putFiles?: HeadFile[];
  putDirectories?: PutDirectory[];
  goneFiles?: string[];
  goneDirectories?: string[];
  filesAdded?: number;
};

/** The change if it is on main. Null if it is on another branch. */
export const ofMain = (change: HeadChange): HeadChange | null =>
  isMain({ branch: mainBranch, ...change }) ? change : null;

export type Rows<Row> = { projects: number[]; rows: Row[] };

/** The rows of one kind from all changes, each with the index of its project. Indexes start at 1, as in PostgreSQL. */
export function rowsOf<Row>(changes: HeadChange[], of: (change: HeadChange) => Row[] | undefined): Rows<Row> {
  const all: Rows<Row> = { projects: [], rows: [] };
  for (const [index, change] of changes.entries()) {
    for (const row of of(change) ?? []) {
      all.projects.push(index + 1);
      all.rows.push(row);
    }
  }
  return all;
}
