import type { Db } from '../../foundation/db/index.ts';
import { AppError } from '../../foundation/http/index.ts';
import { findOwner, writableProject } from '../../projects/index.ts';
import type { RequestRow } from '../state/index.ts';

/** In whose name a request is merged for its checks, and whether its code may see secrets. */
export type Tester = { userId: string; trusted: boolean };

/** The author, if they can edit the project. Otherwise the owner, and without secrets. */
export async function testerOf(db: Db, { project_id, author_id }: RequestRow): Promise<Tester> {
  if (author_id && (await canWrite(db, project_id, author_id))) return { userId: author_id, trusted: true };
  const { userId } = await findOwner(db, project_id);
  return { userId, trusted: false };
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
