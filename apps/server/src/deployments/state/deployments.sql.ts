import type { DeploymentError, DeploymentListQuery } from '@bottega/contract';
import { sql } from 'kysely';
import { changing } from '../../foundation/cluster/cache-registry.ts';
import type { SealedColumn } from '../../foundation/crypto/reseal.ts';
import { allRows, firstRow, type Queries, type RowOf, selectList, type Trx } from '../../foundation/db/index.ts';
import { branchLabel } from './branch-label.ts';

/** The column with encrypted values, for the rotation of the secret key. */
export const sealedVariables: SealedColumn = {
  table: 'deployments',
  column: 'variables_encrypted',
  purpose: 'deployment variables',
};

const ownColumns = [
  'id',
  'project_id',
  'build_id',
  'number',
  'status',
  'environment',
  'trigger',
  'branch',
  'tree_sha',
  'commit_sha',
  'commit_message',
  'commit_author_name',
  'commit_author_email',
  'build_command',
  'output_directory',
  'variable_names',
  'variables_encrypted',
  'own_variable_names',
  'branch_label',
  'retired_at',
  'deployed_by',
  'request_id',
  'idempotency_key',
  'artifact_id',
  'error',
  'created_at',
  'started_at',
  'completed_at',
  'attempt',
] as const;

export type DeploymentRow = RowOf<'deployments', typeof ownColumns> & {
  is_live: boolean;
  is_server: boolean | null;
  instance: { status: 'starting' | 'healthy' | 'failed'; restarts: number; problem: string | null } | null;
  queue_position: number | null;
};

export const deploymentColumns = sql.raw(`
  ${selectList('d', ownColumns)},
  exists (select from projects p where p.id = d.project_id and p.live_deployment_id = d.id) as is_live,
  (select a.start_command is not null from artifacts a where a.id = d.artifact_id) as is_server,
  (select json_build_object('status', i.status, 'restarts', i.restarts, 'problem', i.problem) from app_instances i
    where i.deployment_id = d.id and i.status <> 'stopping' and i.lease_until > clock_timestamp()
    order by i.created_at desc limit 1) as instance,
  case when d.status = 'pending' then
    (select count(*) from deployments q where q.status = 'pending' and q.number <= d.number) end as queue_position`);

export type NewDeployment = Omit<
  RowOf<'deployments', typeof ownColumns>,
  | 'number'
  | 'status'
  | 'branch_label'
  | 'retired_at'
  | 'artifact_id'
  | 'error'
  | 'created_at'
  | 'started_at'
  | 'completed_at'
  | 'attempt'
>;

export async function insertDeployment(trx: Trx, deployment: NewDeployment): Promise<DeploymentRow> {
  const { environment, project_id: projectId, branch } = deployment;
  const label = environment === 'production' ? null : branchLabel(projectId, branch);
  await trx
    .insertInto('deployments')
    .values({ ...deployment, branch_label: label })
    .execute();
  const row = await findDeployment(trx, deployment.project_id, deployment.id);
  if (!row) throw new Error('the inserted deployment is missing');
  return row;
}

export function findDeployment(db: Queries, projectId: string, id: string): Promise<DeploymentRow | undefined> {
  return firstRow<DeploymentRow>(db)`
    select ${deploymentColumns} from deployments d where d.id = ${id} and d.project_id = ${projectId}`;
}

export function lockDeployment(trx: Trx, projectId: string, id: string): Promise<DeploymentRow | undefined> {
  return firstRow<DeploymentRow>(trx)`
    select ${deploymentColumns} from deployments d
    where d.id = ${id} and d.project_id = ${projectId} for no key update of d`;
}

export async function listDeployments(
  db: Queries,
  projectId: string,
  { only, ...query }: DeploymentListQuery & { only: string | null },
): Promise<{ rows: DeploymentRow[]; total: number }> {
  const { page, limit } = query;
  const [environment, status] = [query.environment ?? null, query.status ?? null];
  const matching = sql`d.project_id = ${projectId} and (${environment}::text is null or d.environment = ${environment})
    and (${status}::text is null or d.status = ${status}) and (${only}::text is null or d.id = ${only})`;
  const [{ rows }, count] = await Promise.all([
    sql<DeploymentRow>`
      select ${deploymentColumns} from deployments d where ${matching}
      order by d.number desc limit ${limit} offset ${(page - 1) * limit}`.execute(db),
    sql<{ total: number }>`select count(*) as total from deployments d where ${matching}`.execute(db),
  ]);
  return { rows, total: count.rows[0]?.total ?? 0 };
}

const maxEnvironments = 100;

/** All environments with a deployment or a variable, each with its latest deployment if there is one. */
export function listEnvironments(
  db: Queries,
  projectId: string,
): Promise<({ name: string; id: null } | (DeploymentRow & { name: string }))[]> {
  return allRows<DeploymentRow & { name: string }>(db)`
    with named as (
      select environment as name, max(number) as number from deployments where project_id = ${projectId} group by 1
      union all
      select unnest(environments), null from variables where project_id = ${projectId}
    ), latest as (
      select name, max(number) as number from named group by name
    )
    select latest.name, ${deploymentColumns} from latest left join deployments d on d.number = latest.number and d.project_id = ${projectId}
    order by latest.name <> 'production', latest.number desc nulls last, latest.name limit ${maxEnvironments}`;
}

export type LastSettings = Pick<
  DeploymentRow,
  'build_command' | 'output_directory' | 'variables_encrypted' | 'own_variable_names' | 'created_at'
>;

/**
 * The settings of the last deployment to this environment. A push uses all of them. A request takes over only the
 * variables.
 */
export async function lastSettings(
  trx: Trx,
  projectId: string,
  environment: string,
): Promise<LastSettings | undefined> {
  return trx
    .selectFrom('deployments')
    .select(['build_command', 'output_directory', 'variables_encrypted', 'own_variable_names', 'created_at'])
    .where('project_id', '=', projectId)
    .where('environment', '=', environment)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export type SameBuild = { id: string; artifact_id: string; size: number; variables_encrypted: Buffer | null };

/** The most deployments of a project that are searched. */
const maxLooked = 100;

/**
 * Deployments of the same files with the same settings whose output is still stored, newest first. No piece of a project
 * is deleted while one of its deployments is building, so the output stays until the caller's build ends.
 */
export function listSameBuilds(db: Queries, deployment: DeploymentRow): Promise<SameBuild[]> {
  const { project_id, number, tree_sha, build_command, output_directory } = deployment;
  return allRows<SameBuild>(db)`
    select d.id, d.artifact_id, a.size, d.variables_encrypted from (
      select id, number, status, tree_sha, build_command, output_directory, artifact_id, variables_encrypted
      from deployments where project_id = ${project_id} and number < ${number} order by number desc limit ${maxLooked}
    ) as d join artifacts a on a.id = d.artifact_id
    where d.status = 'success' and d.tree_sha = ${tree_sha} and d.build_command is not distinct from ${build_command}
      and d.output_directory is not distinct from ${output_directory}
    order by d.number desc`;
}

/** Cancels waiting builds of an older push. Returns the ids of these builds. */
export async function supersedePushed(
  trx: Trx,
  { projectId, environment, branch }: { projectId: string; environment: string; branch: string },
  error: DeploymentError,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update deployments set status = 'canceled', completed_at = clock_timestamp(), error = ${JSON.stringify(error)}::jsonb
    where project_id = ${projectId} and environment = ${environment} and branch = ${branch}
      and status = 'pending' and trigger = 'push'
    returning id`.execute(trx);
  return rows.map((row) => row.id);
}

/** How long the previous live app still gets requests, in seconds, because some are on their way. */
const handoverSeconds = 10;

/**
 * Points the project to its live deployment. The app's name is set only once: the wanted name if it is free, and
 * otherwise a unique one.
 */
export async function pointLive(
  trx: Trx,
  projectId: string,
  deploymentId: string,
  names: { wanted: string; certain: string },
): Promise<void> {
  await changing(trx, 'apps', projectId);
  await sql`
    update projects set live_deployment_id = ${deploymentId},
      app_name = coalesce(app_name, case when exists (select from projects o where o.app_name = ${names.wanted})
        then ${names.certain} else ${names.wanted} end)
    where id = ${projectId}`.execute(trx);
}

/**
 * Call this before the live deployment changes. The new live app keeps running, and the previous one runs a moment
 * longer.
 */
export async function handOver(trx: Trx, projectId: string, deploymentId: string): Promise<void> {
  await sql`
    update deployments d set wanted_until = case when d.id = ${deploymentId} then 'infinity'::timestamptz
      else clock_timestamp() + make_interval(secs => ${handoverSeconds}) end
    from artifacts a
    where a.id = d.artifact_id and a.start_command is not null and d.project_id = ${projectId}
      and (d.id = ${deploymentId}
        or d.id = (select p.live_deployment_id from projects p where p.id = ${projectId}))`.execute(trx);
}

/** The people whose names are in events about a deployment. */
export type DeploymentPeople = {
  project_name: string;
  owner_id: string;
  deployer: { name: string; email: string; username: string } | null;
  author_username: string | null;
};

export async function findPeople(db: Queries, deployment: DeploymentRow): Promise<DeploymentPeople> {
  const { rows } = await sql<DeploymentPeople>`
    select p.name as project_name, p.owner_id,
      (select json_build_object('name', u.name, 'email', u.email, 'username', u.username)
       from users u where u.id = ${deployment.deployed_by}) as deployer,
      (select u.username from users u where u.email = ${deployment.commit_author_email}) as author_username
    from projects p where p.id = ${deployment.project_id}`.execute(db);
  if (!rows[0]) throw new Error('the project of a deployment is missing');
  return rows[0];
}
