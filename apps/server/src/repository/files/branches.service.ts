import { type Branch, type CreateBranch, isGitBranchName } from '@bottega/contract';
import { type Db, type Trx, transaction } from '../../foundation/db/index.ts';
import { type Cause, conflict, notFound, type Principal } from '../../foundation/http/index.ts';
import { mustNotBeProtected, protectionOf } from '../../projects/access/index.ts';
import { lockWritableProject, readableProject } from '../../projects/index.ts';
import { branchPrefix, mainBranch, mainRef } from '../objects/ref-names.ts';
import {
  appendPushed,
  collectLater,
  commitToBranchFrom,
  deleteRefs,
  findRef,
  listRefs,
  makeBranch,
  type Pushed,
  type RefRow,
  resolveBranch,
} from '../store/index.ts';

export async function listBranches(db: Db, { userId }: Principal, projectId: string): Promise<Branch[]> {
  const project = await readableProject(db, projectId, userId);
  if (!project.version_control) return [];
  return (await listRefs(db, projectId, branchPrefix)).map(viewOf(protectionOf(project)));
}

export async function readBranch(db: Db, { userId }: Principal, projectId: string, name: string): Promise<Branch> {
  const project = await readableProject(db, projectId, userId);
  const ref = project.version_control && (await findRef(db, projectId, branchPrefix + name));
  if (!ref) throw notFound('Branch');
  return viewOf(protectionOf(project))(ref);
}

export async function createBranch(
  trx: Trx,
  { userId }: Principal,
  projectId: string,
  input: CreateBranch,
  cause: Cause,
): Promise<Branch> {
  const project = await lockWritableProject(trx, projectId, userId);
  if (!project.version_control) throw conflict('The project is not under version control');
  const { name, from = mainBranch } = input;
  const commit = await commitToBranchFrom(trx, projectId, from);
  const ref = await makeBranch(trx, { projectId, branch: name }, commit, from);
  await appendPushed(trx, project, [{ name: ref.name, from: null, to: ref.sha }], { cause });
  return viewOf(protectionOf(project))(ref);
}

type Deletion = {
  principal: Pick<Principal, 'userId'>;
  projectId: string;
  name: string;
  /** The only commit with which the branch is deleted. Without it, any. */
  head?: Buffer;
  cause: Cause;
};

export async function deleteBranch(
  { db, pushed }: { db: Db; pushed: Pushed },
  { principal, projectId, name, head, cause }: Deletion,
): Promise<void> {
  const ref = branchPrefix + name;
  await transaction(db, async (trx) => {
    const project = await lockWritableProject(trx, projectId, principal.userId);
    if (ref === mainRef) throw conflict('The default branch cannot be deleted');
    // Earlier versions allowed `@` as a name. Such a branch can still be deleted.
    const from = isGitBranchName(name) ? await resolveBranch(trx, projectId, name) : undefined;
    if (!from) throw notFound('Branch');
    if (head && !head.equals(from)) throw conflict('The branch has other commits now');
    mustNotBeProtected(project, name);
    await deleteRefs(trx, projectId, [ref]);
    await collectLater(trx, projectId);
    await appendPushed(trx, project, [{ name: ref, from, to: null }], { cause });
    await pushed(trx, { project, refs: [], gone: [ref], cause });
  });
}

const viewOf =
  (isProtected: (branch: string) => boolean) =>
  ({ name: ref, sha, updated_at }: RefRow): Branch => {
    const name = ref.slice(branchPrefix.length);
    return {
      name,
      sha: sha.toString('hex'),
      is_default: ref === mainRef,
      protected: isProtected(name),
      updated_at: updated_at.toISOString(),
    };
  };
