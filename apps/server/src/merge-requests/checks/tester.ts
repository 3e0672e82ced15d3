import type { Db } from '../../foundation/db/index.ts';
import { AppError } from '../../foundation/http/index.ts';
import { findOwner, writableProject } from '../../projects/index.ts';
import { hasMerged, type RequestRow } from '../state/index.ts';

export type Tester = {
  /** In whose name the request is merged for its checks. */
  userId: string;
  /** Whether the request's code may see secrets, and share caches with the project. */
  trusted: boolean;
  /** Whether the request's checks may run. Code of strangers waits until a member has looked at it. */
  started: boolean;
};

/**
 * Decides in whose name the checks run: the author's, if the author can edit the project, and otherwise the owner's,
 * without secrets. A fork is never trusted, because others can push to it.
 */
export async function testerOf(db: Db, row: RequestRow): Promise<Tester> {
  const { project_id, author_id, source_project_id, started_sha, head_sha } = row;
  const isWriter = author_id !== null && (await canWrite(db, project_id, author_id));
  if (isWriter && source_project_id === null) return { userId: author_id, trusted: true, started: true };
  const { userId } = await findOwner(db, project_id);
  const isKnown = isWriter || (author_id !== null && (await hasMerged(db, project_id, author_id)));
  return { userId, trusted: false, started: isKnown || (started_sha?.equals(head_sha) ?? false) };
}

async function canWrite(db: Db, projectId: string, userId: string): Promise<boolean> {
  try {
    await writableProject(db, projectId, userId);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return false;
    throw error;
  }
}
