import type { EventType } from '@bottega/contract';
import { appendEvents } from '../events/index.ts';
import type { Trx } from '../foundation/db/transaction.ts';
import type { SourceError } from './compiler-errors.ts';
import { type DeploymentPeople, type DeploymentRow, findPeople } from './deployments.sql.ts';
import { type Addresses, addressesOf, durationOf } from './deployments.view.ts';

export type Built = { size: number; name: string; isServer: boolean };

type Data = Record<string, unknown>;
type Context = { deployment: DeploymentRow; people: DeploymentPeople; addresses: Addresses };

/** Both begin at once: a deployment is its build and what follows. */
export async function appendStarted(trx: Trx, deployment: DeploymentRow, addresses: Addresses): Promise<void> {
  const context = { deployment, people: await findPeople(trx, deployment), addresses };
  const started = {
    started_at: deployment.started_at?.toISOString() ?? null,
    environment: deployment.environment,
    trigger: deployment.trigger === 'api' ? 'manual' : deployment.trigger,
  };
  const { build_command, output_directory } = deployment;
  const build = {
    ...common(context),
    ...started,
    build_config: { node_version: process.versions.node, build_command, output_directory },
  };
  await append(trx, context, [
    ['build.started', build],
    ['deployment.started', { ...common(context), ...ofDeployment(context), ...started }],
  ]);
}

export async function appendCompleted(
  trx: Trx,
  deployment: DeploymentRow,
  { addresses, built }: { addresses: Addresses; built: Built },
): Promise<void> {
  const context = { deployment, people: await findPeople(trx, deployment), addresses };
  const { url, logs, artifacts } = addressesOf(addresses, deployment);
  const ended = { ...times(deployment), completed_at: deployment.completed_at?.toISOString() ?? null };
  const build = {
    ...common(context),
    ...ended,
    artifacts: [{ name: built.name, size: built.size, url: artifacts }],
    logs_url: logs,
    deploy_preview_url: url,
  };
  const config = {
    strategy: built.isServer ? 'rolling' : 'static',
    instances: built.isServer ? 1 : 0,
    health_check_url: `${url}/`,
  };
  await append(trx, context, [
    ['build.completed', build],
    [
      'deployment.completed',
      { ...common(context), ...ofDeployment(context), ...ended, url, deployment_config: config },
    ],
  ]);
}

/** Also of one that was canceled: whoever heard of its beginning hears of its end. */
export async function appendFailed(
  trx: Trx,
  deployment: DeploymentRow,
  { addresses, source }: { addresses: Addresses; source: SourceError | null },
): Promise<void> {
  const context = { deployment, people: await findPeople(trx, deployment), addresses };
  const { file = null, line = null, column = null, code = null } = source ?? {};
  const failed = {
    ...times(deployment),
    failed_at: deployment.completed_at?.toISOString() ?? null,
    error: {
      type: deployment.error?.type ?? 'internal',
      message: source?.message ?? deployment.error?.message ?? '',
      details: { file, line, column, code },
    },
    logs_url: addressesOf(addresses, deployment).logs,
  };
  const events: [EventType, Data][] = [];
  if (deployment.started_at) events.push(['build.failed', { ...common(context), ...failed }]);
  events.push(['deployment.failed', { ...common(context), ...ofDeployment(context), ...failed }]);
  await append(trx, context, events);
}

function common({ deployment, people }: Context): Data {
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

const ofDeployment = ({ deployment, people }: Context): Data => ({
  deployment_id: deployment.id,
  deployed_by: people.deployer,
});

const times = (deployment: DeploymentRow): Data => ({
  status: deployment.status,
  started_at: deployment.started_at?.toISOString() ?? null,
  duration: durationOf(deployment),
  environment: deployment.environment,
});

function append(trx: Trx, { deployment, people }: Context, events: [EventType, Data][]): Promise<void> {
  const {
    project_id: projectId,
    deployed_by: actorId,
    request_id: requestId,
    idempotency_key: idempotencyKey,
  } = deployment;
  return appendEvents(
    trx,
    events.map(([type, data]) => ({ type, accountId: people.owner_id, projectId, data })),
    { actorId, requestId, idempotencyKey },
  );
}
