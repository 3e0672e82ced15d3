import { type File, type FileListQuery, plainDirectory } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import { notFound, type Principal } from '../../foundation/http/index.ts';
import { readableProject } from '../../projects/index.ts';
import { directoryExists, type ListedRow, listHead } from '../store/index.ts';
import { answerBudget, largestAnswer, rowOverheadBytes } from './answer-size.ts';
import { asFile } from './files.view.ts';

export async function listFiles(
  db: Db,
  { userId }: Principal,
  projectId: string,
  query: Omit<FileListQuery, 'ref'>,
): Promise<File[]> {
  await readableProject(db, projectId, userId);
  return (await listTree(db, projectId, query)).map(asFile);
}

/** Lists files of main. The caller has already checked the right to read the project. */
export async function listTree(db: Db, projectId: string, query: Omit<FileListQuery, 'ref'>): Promise<ListedRow[]> {
  const directory = plainDirectory(query.path ?? '');
  const listed = await listHead(
    db,
    projectId,
    { directory, recursive: query.recursive, type: query.type, after: query.cursor },
    // One entry more than a page shows that there is another page.
    { rowOverheadBytes, maxBytes: largestAnswer, ...(query.limit && { maxRows: query.limit + 1 }) },
  );
  // An empty list means either that the filter matches nothing or that the directory does not exist.
  if (
    listed.length === 0 &&
    query.cursor === undefined &&
    directory !== '' &&
    !(await directoryExists(db, projectId, directory))
  ) {
    throw notFound('Directory');
  }
  answerBudget().spend({ bytes: listed.at(-1)?.so_far ?? 0 });
  return listed;
}
