import type { Queries, Trx } from '../../foundation/db/index.ts';
import { AppError, conflict, invalid } from '../../foundation/http/index.ts';
import type { WritableProject } from '../../projects/index.ts';
import { branchPrefix, type HeadAt, isMain, refOf } from '../objects/ref-names.ts';
import { countedFiles, keepCount } from './branch-entries.sql.ts';
import { type CommitRow, resolveCommit } from './commits.sql.ts';
import { countFiles } from './files.sql.ts';
import { presentRefs } from './ref-updates.ts';
import { insertRef, listRefs, type RefRow, resolveBranch } from './refs.sql.ts';

/** Why a write to a missing branch is refused. */
export function noBranch({ version_control }: Pick<WritableProject, 'version_control'>, branch: string): AppError {
  if (!version_control) return conflict('The project is not under version control');
  return new AppError('NOT_FOUND', 'Branch not found', {
    details: { branch, hint: 'Create the branch first, or send `create_branch_from` to create it with this write' },
  });
}

/**
 * Throws if the branch does not exist. With `from`, a missing branch is created. The transaction has locked the
 * project's row.
 */
export async function mustHaveBranch(
  trx: Trx,
  project: WritableProject,
  at: HeadAt,
  from: string | undefined,
): Promise<void> {
  if (isMain(at) || (project.version_control && (await resolveBranch(trx, at.projectId, at.branch)))) return;
  if (from === undefined || !project.version_control) throw noBranch(project, at.branch);
  await makeBranch(trx, at, await commitToBranchFrom(trx, at.projectId, from, 'create_branch_from'), from);
}

/**
 * Creates a branch. It copies nothing that grows with the project, because the new branch has the tree of its commit.
 */
export async function makeBranch(trx: Trx, at: HeadAt, commit: CommitRow, from: string): Promise<RefRow> {
  const others = await listRefs(trx, at.projectId, branchPrefix);
  const inTheWay = presentRefs(others).inTheWayOf(refOf(at));
  if (inTheWay) throw conflict(`The name conflicts with the branch ${inTheWay.slice(branchPrefix.length)}`);
  const ref = await insertRef(trx, at.projectId, refOf(at), commit.sha);
  if (!ref) throw conflict('A branch with this name already exists');
  await keepCount(trx, at, await countOn(trx, { projectId: at.projectId, branch: from }, commit));
  return ref;
}

/** The number of files, if the new branch starts at the commit of another branch. */
async function countOn(trx: Trx, from: HeadAt, commit: CommitRow): Promise<number | null> {
  if (!(await resolveBranch(trx, from.projectId, from.branch))?.equals(commit.sha)) return null;
  return isMain(from) ? countFiles(trx, from.projectId) : countedFiles(trx, from);
}

export async function commitToBranchFrom(
  db: Queries,
  projectId: string,
  from = 'main',
  field = 'from',
): Promise<CommitRow> {
  const commit = await resolveCommit(db, projectId, from);
  if (!commit) throw invalid(field, 'is not a known branch, tag or commit');
  return commit;
}
