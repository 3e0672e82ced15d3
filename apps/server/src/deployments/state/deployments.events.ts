import { appendEvents, type NewEvent } from '../../events/index.ts';
import type { Trx } from '../../foundation/db/index.ts';
import { causeOfRun } from '../../foundation/http/index.ts';
import { notify } from '../../notifications/index.ts';
import type { SourceError } from './compiler-errors.ts';
import { type DeploymentPeople, type DeploymentRow, findPeople } from './deployments.sql.ts';
import { type Addresses, addressesOf, durationOf, triggerOf } from './deployments.view.ts';

export type Built = { size: number; name: string; isServer: boolean };

type Context = { deployment: DeploymentRow; people: DeploymentPeople };

/**
 * Appends the start of the build and of the deployment. Both start at the same time, because a deployment includes its
 * build and what follows it.
 */
export async function appendStarted(trx: Trx, deployment: DeploymentRow): Promise<void> {
  const context = { deployment, people: await findPeople(trx, deployment) };
  const { build_command, output_directory, environment } = deployment;
  const started = {
    started_at: timeOf(deployment.started_at),
    environment,
    trigger: triggerOf(deployment),
  };
  const build_config = { node_version: process.versions.node, build_command, output_directory };
  await append(trx, context, [
    { ...about(context), type: 'build.started', data: { ...ofBuild(context), ...started, build_config } },
    { ...about(context), type: 'deployment.started', data: { ...ofDeployment(context), ...started } },
  ]);
}

export async function appendCompleted(
  trx: Trx,
  deployment: DeploymentRow,
  { addresses, built }: { addresses: Addresses; built: Built },
): Promise<void> {
  const context = { deployment, people: await findPeople(trx, deployment) };
  const { url, logs, artifacts } = addressesOf(addresses, deployment);
  const completed = {
    ...ended(deployment),
    started_at: timeOf(deployment.started_at),
    completed_at: timeOf(deployment.completed_at),
  };
  const build = {
    ...ofBuild(context),
    ...completed,
    artifacts: [{ name: built.name, size: built.size, url: artifacts }],
    logs_url: logs,
    deploy_preview_url: url,
  };
  const deployment_config = {
    strategy: built.isServer ? 'rolling' : 'static',
    instances: built.isServer ? 1 : 0,
    health_check_url: `${url}/`,
  };
  const data = { ...ofDeployment(context), ...completed, url, deployment_config };
  await append(trx, context, [
    { ...about(context), type: 'build.completed', data: build },
    { ...about(context), type: 'deployment.completed', data },
  ]);
}

/**
 * Appends the events of a failed or canceled deployment, so that everyone who received its start also receives its end.
 */
export async function appendFailed(
  trx: Trx,
  deployment: DeploymentRow,
  { addresses, source }: { addresses: Addresses; source: SourceError | null },
): Promise<void> {
  const context = { deployment, people: await findPeople(trx, deployment) };
  const { file = null, line = null, column = null, code = null } = source ?? {};
  const started_at = deployment.started_at?.toISOString() ?? null;
  const failed = {
    ...ended(deployment),
    failed_at: timeOf(deployment.completed_at),
    error: {
      type: deployment.error?.type ?? 'internal',
      message: source?.message ?? deployment.error?.message ?? '',
      details: { file, line, column, code },
    },
    logs_url: addressesOf(addresses, deployment).logs,
  };
  const events: NewEvent[] = [];
  if (started_at !== null) {
    events.push({ ...about(context), type: 'build.failed', data: { ...ofBuild(context), ...failed, started_at } });
  }
  const data = { ...ofDeployment(context), ...failed, started_at };
  await append(trx, context, [...events, { ...about(context), type: 'deployment.failed', data }]);
  if (deployment.status === 'failed') await notifyOfFailure(trx, context, failed.error.message);
}

/** Notifies the user who deployed and the owner, whose site it is. */
async function notifyOfFailure(trx: Trx, { deployment, people }: Context, reason: string): Promise<void> {
  const { id: deployment_id, environment, project_id: projectId, deployed_by, request_id } = deployment;
  const to = [deployed_by, people.owner_id];
  const data = { deployment_id, environment, reason: reason.slice(0, 300).toWellFormed() };
  const notice = { type: 'deployment_failed', to, projectId, actorId: null, data } as const;
  await notify(trx, notice, causeOfRun(deployed_by, request_id));
}

/** The time of a start or an end. The row always has it, because it is set before the event is created. */
function timeOf(time: Date | null): string {
  if (!time) throw new Error('a deployment lacks the time that its event reports');
  return time.toISOString();
}

function ofBuild({ deployment, people }: Context) {
  const { commit_author_name: name, commit_author_email: email } = deployment;
  return {
    build_id: deployment.build_id,
    project_id: deployment.project_id,
    project_name: people.project_name,
    commit_sha: deployment.commit_sha?.toString('hex') ?? null,
    commit_message: deployment.commit_message,
    branch: deployment.branch,
    author: name === null ? null : { name, email, username: people.author_username },
  };
}

const ofDeployment = (context: Context) => ({
  ...ofBuild(context),
  deployment_id: context.deployment.id,
  deployed_by: context.people.deployer,
  url: null,
});

const ended = (deployment: DeploymentRow) => ({
  status: deployment.status,
  duration: durationOf(deployment) ?? 0,
  environment: deployment.environment,
});

const about = ({ deployment, people }: Context) => ({
  accountId: people.owner_id,
  projectId: deployment.project_id,
});

function append(trx: Trx, { deployment }: Context, events: NewEvent[]): Promise<void> {
  const { deployed_by, request_id, idempotency_key: idempotencyKey } = deployment;
  return appendEvents(trx, events, { ...causeOfRun(deployed_by, request_id), idempotencyKey });
}
