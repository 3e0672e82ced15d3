import { type Branch, type CreateBranch, isGitBranchName } from '@bottega/contract';
import { type Db, type Queries, type Trx, transaction } from '../../foundation/db/index.ts';
import { type Cause, conflict, invalid, notFound, type Principal } from '../../foundation/http/index.ts';
import { lockWritableProject, readableProject } from '../../projects/index.ts';
import { mainRef } from '../objects/ref-names.ts';
import {
  collectLater,
  deleteRefs,
  insertRef,
  listRefs,
  type Pushed,
  type RefRow,
  resolveCommit,
} from '../store/index.ts';

const prefix = 'refs/heads/';

export async function listBranches(db: Db, { userId }: Principal, projectId: string): Promise<Branch[]> {
  const project = await readableProject(db, projectId, userId);
  return project.version_control ? (await listRefs(db, projectId, prefix)).map(asBranch) : [];
}

export async function createBranch(
  trx: Trx,
  { userId }: Principal,
  projectId: string,
  input: CreateBranch,
): Promise<Branch> {
  const project = await lockWritableProject(trx, projectId, userId);
  if (!project.version_control) throw conflict('The project is not under version control');
  const from = await commitToBranchFrom(trx, projectId, input.from);
  const others = (await listRefs(trx, projectId, prefix)).map((ref) => ref.name.slice(prefix.length));
  // Git stores references as files, so `a` and `a/b` cannot both exist.
  const inTheWay = others.find((name) => name.startsWith(`${input.name}/`) || input.name.startsWith(`${name}/`));
  if (inTheWay) throw conflict(`The name conflicts with the branch ${inTheWay}`);
  const ref = await insertRef(trx, projectId, prefix + input.name, from.sha);
  if (!ref) throw conflict('A branch with this name already exists');
  return asBranch(ref);
}

/** Also called if the schema rejects another field of the body. */
export async function commitToBranchFrom(db: Queries, projectId: string, from = 'main') {
  const commit = await resolveCommit(db, projectId, from);
  if (!commit) throw invalid('from', 'is not a known branch, tag or commit');
  return commit;
}

type Deletion = { principal: Principal; projectId: string; name: string; cause: Cause };

export async function deleteBranch(
  { db, pushed }: { db: Db; pushed: Pushed },
  { principal, projectId, name, cause }: Deletion,
): Promise<void> {
  const ref = prefix + name;
  await transaction(db, async (trx) => {
    const project = await lockWritableProject(trx, projectId, principal.userId);
    if (ref === mainRef) throw conflict('The default branch cannot be deleted');
    // Former versions allowed `@`, which can still be deleted.
    if (!isGitBranchName(name) || (await deleteRefs(trx, projectId, [ref])) === 0) throw notFound('Branch');
    await collectLater(trx, projectId);
    await pushed(trx, { project, refs: [], gone: [ref], cause });
  });
}

function asBranch({ name, sha, updated_at }: RefRow): Branch {
  return {
    name: name.slice(prefix.length),
    sha: sha.toString('hex'),
    is_default: name === mainRef,
    updated_at: updated_at.toISOString(),
  };
}
