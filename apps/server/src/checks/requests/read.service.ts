import type { CheckAnnotation, CheckRun, CheckRunQuery, CommitChecks } from '@bottega/contract';
import type { Db, Queries } from '../../foundation/db/index.ts';
import { notFound, type Principal } from '../../foundation/http/index.ts';
import { isId } from '../../foundation/ids.ts';
import { projectOfMember, readableProject } from '../../projects/index.ts';
import { type CommitRow, resolveCommit } from '../../repository/store/index.ts';
import * as rows from '../state/index.ts';

export type Which = { projectId: string; id: string };

/** A check, for everybody who can read the project. */
export async function readRun(db: Db, { userId }: Principal, which: Which): Promise<CheckRun> {
  await readableProject(db, which.projectId, userId);
  return rows.checkView(await mustFindRun(db, which));
}

/** A check, only for members of the project: its log may show more than its result. */
export async function runOfMember(db: Db, { userId }: Principal, which: Which): Promise<rows.CheckRow> {
  await projectOfMember(db, which.projectId, userId);
  return mustFindRun(db, which);
}

export async function mustFindRun(db: Queries, { projectId, id }: Which): Promise<rows.CheckRow> {
  const row = isId('chk', id) ? await rows.findRun(db, projectId, id) : undefined;
  if (!row) throw notFound('Check');
  return row;
}

export async function listRuns(
  db: Db,
  { userId }: Principal,
  projectId: string,
  { ref, ...query }: CheckRunQuery,
): Promise<{ data: CheckRun[]; total: number }> {
  await readableProject(db, projectId, userId);
  const tree = ref === undefined ? null : (await mustResolve(db, projectId, ref)).tree_sha;
  const { rows: found, total } = await rows.listRuns(db, projectId, { ...query, tree });
  return { data: found.map(rows.checkView), total };
}

export async function mustResolve(db: Queries, projectId: string, ref: string): Promise<CommitRow> {
  const commit = await resolveCommit(db, projectId, ref);
  if (!commit) throw notFound('Commit');
  return commit;
}

export async function listAnnotations(db: Db, { userId }: Principal, which: Which): Promise<CheckAnnotation[]> {
  await readableProject(db, which.projectId, userId);
  const { id } = await mustFindRun(db, which);
  return rows.listAnnotations(db, id);
}

export async function checksOfCommit(
  db: Db,
  { userId }: Principal,
  projectId: string,
  sha: string,
): Promise<CommitChecks> {
  await readableProject(db, projectId, userId);
  if (!/^[0-9a-f]{7,40}$/.test(sha)) throw notFound('Commit');
  return describeCommit(db, projectId, await mustResolve(db, projectId, sha));
}

/** The newest run of each check of the commit's files, and their overall state. */
export async function describeCommit(
  db: Queries,
  projectId: string,
  { sha, tree_sha }: Pick<CommitRow, 'sha' | 'tree_sha'>,
): Promise<CommitChecks> {
  const found = await rows.findOfTree(db, projectId, tree_sha);
  return { sha: sha.toString('hex'), state: rows.stateOf(found), data: found.map(rows.checkView) };
}
