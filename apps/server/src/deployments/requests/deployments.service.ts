import type {
  CreateDeployment,
  Deployment,
  DeploymentArtifacts,
  DeploymentListQuery,
  LogEntry,
} from '@bottega/contract';
import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import type { Db, Queries, Trx } from '../../foundation/db/index.ts';
import { type Cause, invalid, notFound, type Principal } from '../../foundation/http/index.ts';
import { newId } from '../../foundation/ids.ts';
import { isMember, mustBeMember } from '../../projects/access/index.ts';
import { lockWritableProject, projectOfMember, type ReadableProject, readableProject } from '../../projects/index.ts';
import { headTree, resolveCommit, walkTree } from '../../repository/store/index.ts';
import { listArtifactFiles } from '../artifacts/index.ts';
import {
  type Addresses,
  addressesOf,
  asDeployment,
  asDeploymentForOutsider,
  encodedPath,
  findDeployment,
  insertDeployment,
  lastSettings,
  listDeployments as listDeploymentRows,
  listEnvironments as listEnvironmentRows,
  mustFindDeployment,
  type NewDeployment,
  readableDeployment,
} from '../state/index.ts';
import { givenVariables, keptVariables, ownVariables } from './given-variables.ts';

type Which = { projectId: string; id: string };
type Context = { addresses: Addresses; box: SecretBox; cause: Cause };
type Source = Pick<
  NewDeployment,
  'branch' | 'tree_sha' | 'commit_sha' | 'commit_message' | 'commit_author_name' | 'commit_author_email'
>;

export async function createDeployment(
  trx: Trx,
  { userId }: Principal,
  projectId: string,
  input: CreateDeployment,
  { addresses, box, cause }: Context,
): Promise<Deployment> {
  const project = await lockWritableProject(trx, projectId, userId);
  const source = await sourceOf(trx, project, input.branch ?? 'main');
  const environment = input.environment ?? 'production';
  const place = { projectId, environment };
  const own =
    input.environment_variables ??
    (await keptVariables(trx, box, place, await lastSettings(trx, projectId, environment)));
  const row = await insertDeployment(trx, {
    ...identified(projectId, cause),
    ...source,
    ...(await givenVariables(trx, box, place, own)),
    environment,
    trigger: 'api',
    build_command: input.build_command ?? null,
    output_directory: input.output_directory ?? null,
  });
  return asDeployment(row, addresses);
}

export function identified(projectId: string, cause: Cause) {
  return {
    id: newId('dep'),
    build_id: newId('bld'),
    project_id: projectId,
    deployed_by: cause.actorId,
    request_id: cause.requestId,
    idempotency_key: cause.idempotencyKey,
  };
}

/** The files to deploy. They are determined now: later pushes are separate deployments. */
export async function sourceOf(
  trx: Queries,
  project: { id: string; version_control: boolean },
  branch: string,
): Promise<Source> {
  const commit = project.version_control ? await resolveCommit(trx, project.id, branch) : undefined;
  const tree = commit?.tree_sha ?? (branch === 'main' ? await headTree(trx, project.id) : undefined);
  if (!tree && branch !== 'main') throw invalid('branch', 'is not a known branch');
  const listed = tree && (await walkTree(trx, project.id, { tree, path: '', recursive: false }));
  if (!tree || !listed || listed.files.length + listed.directories.length === 0) {
    throw invalid('branch', 'has no files to deploy');
  }
  return {
    branch,
    tree_sha: tree,
    commit_sha: commit?.sha ?? null,
    commit_message: commit?.message ?? null,
    commit_author_name: commit?.author_name ?? null,
    commit_author_email: commit?.author_email ?? null,
  };
}

/** A user who is not a member sees only the live deployment. The response does not reveal other deployments. */
export async function readDeployment(
  db: Db,
  { userId }: Principal,
  which: Which,
  addresses: Addresses,
): Promise<Deployment> {
  const project = await readableProject(db, which.projectId, userId);
  if (project.live_deployment_id !== which.id) mustBeMember(project, userId);
  return viewFor(project, userId)(await mustFindDeployment(db, which), addresses);
}

const viewFor = (project: ReadableProject, userId: string) =>
  isMember(project, userId) ? asDeployment : asDeploymentForOutsider;

export async function listDeployments(
  db: Db,
  { userId }: Principal,
  projectId: string,
  query: DeploymentListQuery,
  addresses: Addresses,
): Promise<{ data: Deployment[]; total: number }> {
  const project = await readableProject(db, projectId, userId);
  const only = isMember(project, userId) ? null : (project.live_deployment_id ?? '');
  const { rows: deployments, total } = await listDeploymentRows(db, projectId, { ...query, only });
  const view = viewFor(project, userId);
  return { data: deployments.map((row) => view(row, addresses)), total };
}

export async function listEnvironments(db: Db, { userId }: Principal, projectId: string, addresses: Addresses) {
  await projectOfMember(db, projectId, userId);
  const environments = await listEnvironmentRows(db, projectId);
  return environments.map((row) => ({
    name: row.name,
    latest_deployment: row.id === null ? null : asDeployment(row, addresses),
  }));
}

/** Deploys the same commit with the same settings again, but with the project's current variables. */
export async function redeploy(
  trx: Trx,
  principal: Principal,
  { projectId, id }: Which,
  { addresses, box, cause }: Context,
): Promise<Deployment> {
  await lockWritableProject(trx, projectId, principal.userId);
  const former = await readableDeployment(trx, principal, { projectId, id });
  const { environment } = former;
  const row = await insertDeployment(trx, {
    ...identified(projectId, cause),
    ...(await givenVariables(trx, box, { projectId, environment }, ownVariables(box, former))),
    environment,
    trigger: 'redeploy',
    branch: former.branch,
    tree_sha: former.tree_sha,
    commit_sha: former.commit_sha,
    commit_message: former.commit_message,
    commit_author_name: former.commit_author_name,
    commit_author_email: former.commit_author_email,
    build_command: former.build_command,
    output_directory: former.output_directory,
  });
  return asDeployment(row, addresses);
}

export async function listArtifacts(
  db: Db,
  principal: Principal,
  which: Which,
  addresses: Addresses,
): Promise<DeploymentArtifacts> {
  const row = await readableDeployment(db, principal, which);
  if (row.artifact_id === null) throw notFound('Artifact');
  const files = await listArtifactFiles(db, row.artifact_id);
  const { url } = addressesOf(addresses, row);
  const isServed = !files.some(({ kind }) => kind === 'link');
  return {
    build_id: row.build_id,
    size: files.reduce((sum, { size }) => sum + size, 0),
    artifacts: files.map((file) => ({
      name: file.path.slice(1),
      size: file.size,
      mime_type: file.mime_type,
      checksum: `sha256:${file.checksum.toString('hex')}`,
      url: isServed ? `${url}${encodedPath(file.path)}` : null,
    })),
  };
}

/** The data for the end of a followed log. Null while there may be more lines, as for a running app. */
export async function endOfLog(
  db: Db,
  { projectId, id }: Which,
  source: LogEntry['source'] | undefined,
): Promise<{ status: Deployment['status'] } | null> {
  const deployment = await findDeployment(db, projectId, id);
  const status = deployment?.status ?? 'canceled';
  const mayRun = source === 'runtime' && status === 'success' && deployment?.is_server === true;
  return status === 'pending' || status === 'building' || mayRun ? null : { status };
}
