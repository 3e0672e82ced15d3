import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { conflict, notFound, type Principal } from '../../foundation/http/index.ts';
import { isId } from '../../foundation/ids.ts';
import { mustBeActive, mustHave, mustSee } from '../../projects/access/index.ts';
import { lockKnownProject, type ReadableProject, readableProject, type WritableProject } from '../../projects/index.ts';
import * as rows from '../state/index.ts';

/** What an event about a comment contains besides the comment and the project. */
export type Around = Omit<rows.About, 'project'>;

/** The most that all threads and reviews of one request together may hold. */
const most = { comments: 5_000, reviews: 5_000, bytes: 16 * 2 ** 20 };

type Commented = Pick<rows.RequestRow, 'project_id' | 'author_id'>;

/** Checks the right without a lock, for code that reads much before it writes. */
export async function mustBeCommenter(db: Db, { userId }: Principal, row: Commented): Promise<void> {
  mayComment(await readableProject(db, row.project_id, userId), userId, row);
}

/** Locks the project for somebody who may comment on the request. */
export async function lockForComment(trx: Trx, row: Commented, userId: string): Promise<WritableProject> {
  const project = mustSee(await lockKnownProject(trx, row.project_id, userId), userId);
  mayComment(project, userId, row);
  return project;
}

/** Members who can comment, and the author, who may only be able to read the project. */
function mayComment(project: ReadableProject, userId: string, { author_id }: Commented): void {
  if (author_id !== userId) mustHave(project, userId, 'comment');
  mustBeActive(project);
}

/** Runs the work in a transaction, for somebody who may comment on the request. */
export const commenting = <Result>(
  db: Db,
  { userId }: Principal,
  row: Commented,
  work: (trx: Trx, project: WritableProject) => Promise<Result>,
): Promise<Result> => transaction(db, async (trx) => work(trx, await lockForComment(trx, row, userId)));

/** An edit adds no comment. It adds the difference of the texts, which is negative if the text gets shorter. */
type Added = Partial<rows.Measure> & { bytes: number };

export async function mustHaveRoom(
  trx: Trx,
  which: rows.Which,
  { comments = 1, reviews = 0, bytes }: Added,
): Promise<void> {
  const present = await rows.measureComments(trx, which);
  const added = { comments, reviews, bytes };
  const isFull = (['comments', 'reviews', 'bytes'] as const).some(
    (one) => added[one] > 0 && present[one] + added[one] > most[one],
  );
  if (isFull) {
    throw conflict('The merge request has reached its limit of comments; continue in a new merge request');
  }
}

export async function mustFindThread(trx: Trx, row: rows.Which, id: string, userId: string): Promise<rows.ThreadRow> {
  const thread = isId('mrt', id) ? await rows.findThread(trx, row, id, userId) : undefined;
  if (!thread) throw notFound('Thread');
  return thread;
}
