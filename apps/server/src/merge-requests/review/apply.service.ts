import { createHash } from 'node:crypto';
import type { ApplySuggestions, Commit } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import {
  AppError,
  type Cause,
  conflict,
  forbidden,
  mayActIn,
  notFound,
  type Principal,
} from '../../foundation/http/index.ts';
import { writableProject } from '../../projects/index.ts';
import { asCommit } from '../../repository/files/index.ts';
import { type Change, type FileWrites, findCommit, prepareBlob, writeFiles } from '../../repository/store/index.ts';
import * as rows from '../state/index.ts';
import { textAt } from './contents.ts';
import { type FindVersion, placeThreads } from './places.service.ts';
import { applyTo, type Replacement, suggestionIn } from './suggestions.ts';

type Applying = FileWrites & { db: Db };
type Asked = { row: rows.RequestRow; input: ApplySuggestions; findVersion: FindVersion; cause: Cause };

/**
 * Applies suggestions as one commit on the source. Open editors get the commit like any other write. If one of the
 * files has changed since the newest version, nothing is written.
 */
export async function applySuggestions(
  applying: Applying,
  principal: Principal,
  { row, input, findVersion, cause }: Asked,
): Promise<Commit> {
  if (row.state !== 'open') throw conflict(`The merge request is ${row.state}`);
  const { db } = applying;
  const projectId = row.source_project_id ?? row.project_id;
  if (row.source_project_id) await mustEditFork(db, row.source_project_id, principal);
  const visible = await rows.listThreads(db, row, principal.userId);
  const threads = await placeThreads(db, row, visible, findVersion);
  const replacements = new Map<string, Replacement[]>();
  for (const id of input.comments) {
    const { path, ...replacement } = replacementOf(threads, id);
    replacements.set(path, [...(replacements.get(path) ?? []), replacement]);
  }
  const changes: Change[] = [];
  for (const [path, all] of replacements) {
    const text = await textAt(db, row.project_id, row.head_sha, path);
    if (text === null) throw conflict(`${path} is no longer a text file`);
    const expectedChecksum = createHash('sha256').update(text).digest();
    const blob = await prepareBlob(Buffer.from(applyTo(text, all)));
    changes.push({ action: 'put', path, blob, expect: 'existing', expectedChecksum });
  }
  const count = input.comments.length;
  const { sha } = await writeFiles(applying, {
    principal,
    projectId,
    branch: row.source,
    cause,
    message: input.message ?? (count === 1 ? 'Apply a suggestion' : `Apply ${count} suggestions`),
    changes: () => changes,
  });
  const commit = sha && (await findCommit(db, projectId, sha));
  if (!commit) throw conflict('The source already has these lines');
  await db.transaction().execute((trx) => rows.noteApplied(trx, input.comments, commit.sha));
  return asCommit(commit);
}

async function mustEditFork(db: Db, forkId: string, principal: Principal): Promise<void> {
  const refusal = forbidden('Only people who can edit the fork can apply suggestions to it');
  if (!mayActIn(principal, forkId)) throw refusal;
  await writableProject(db, forkId, principal.userId).catch((error: unknown) => {
    throw error instanceof AppError && error.status < 500 ? refusal : error;
  });
}

function replacementOf(threads: readonly rows.ThreadRow[], id: string): Replacement & { path: string } {
  const thread = threads.find(({ comments }) => comments.some((one) => one.id === id));
  const comment = thread?.comments.find((one) => one.id === id);
  if (!thread || !comment) throw notFound('Comment');
  const lines = suggestionIn(comment.body);
  if (!lines) throw conflict('The comment has no suggestion');
  const { place_path: path, place_start: start, place_line: line, side, outdated } = thread;
  if (side !== 'RIGHT' || path === null || start === null || line === null)
    throw conflict('The suggestion does not refer to lines of the source');
  if (outdated) throw conflict('The lines of the suggestion have changed');
  return { path, start, line, lines };
}
