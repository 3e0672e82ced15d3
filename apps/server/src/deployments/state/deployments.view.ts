import { appReasons, codedAs, type Deployment, deploymentReasons } from '@bottega/contract';
import type { DeploymentRow } from './deployments.sql.ts';

export type Addresses = {
  publicUrl: () => string;
  /** The URL of an app, by the first label of its host. */
  appUrl: (name: string) => string;
};

/** The label of a deployment's own address: host names have no underscore. */
export const labelOf = (deploymentId: string): string => deploymentId.replace('_', '-');

/** A path as part of a URL. Names of files may contain the characters that end a path, such as `#` and `?`. */
export const encodedPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

export function addressesOf({ publicUrl, appUrl }: Addresses, { id, project_id }: { id: string; project_id: string }) {
  const self = `${publicUrl()}/v1/projects/${project_id}/deployments/${id}`;
  return { url: appUrl(labelOf(id)), logs: `${self}/logs`, artifacts: `${self}/artifacts` };
}

export function asDeployment(row: DeploymentRow, addresses: Addresses): Deployment {
  const { url, logs } = addressesOf(addresses, row);
  const isServed = row.status === 'success' && row.artifact_id !== null;
  return {
    id: row.id,
    project_id: row.project_id,
    build_id: row.build_id,
    status: row.status,
    environment: row.environment,
    branch: row.branch,
    trigger: triggerOf(row),
    url: isServed ? url : null,
    branch_url: isServed && row.branch_label !== null ? addresses.appUrl(row.branch_label) : null,
    retired_at: row.retired_at?.toISOString() ?? null,
    commit: {
      sha: row.commit_sha?.toString('hex') ?? null,
      message: row.commit_message,
      author: row.commit_author_name,
    },
    build_command: row.build_command,
    output_directory: row.output_directory,
    environment_variables: row.variable_names,
    own_environment_variables: row.own_variable_names ?? row.variable_names,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    completed_at: row.completed_at?.toISOString() ?? null,
    duration: durationOf(row),
    queue_position: row.queue_position,
    app: appOf(row),
    is_live: row.is_live,
    logs_url: logs,
    error: row.error && { ...row.error, ...codedAs('message', deploymentReasons, row.error.message) },
  };
}

/**
 * The view of a public project's live deployment for users who are not members: what it is, its commit and its time.
 */
export const asDeploymentForOutsider = (row: DeploymentRow, addresses: Addresses): Deployment => ({
  ...asDeployment(row, addresses),
  build_id: '',
  branch_url: null,
  build_command: null,
  output_directory: null,
  environment_variables: [],
  own_environment_variables: [],
  started_at: null,
  duration: null,
  app: null,
  logs_url: '',
});

function appOf({ is_server, instance }: DeploymentRow): Deployment['app'] {
  if (!is_server) return null;
  const { status, restarts, problem } = instance ?? { status: 'sleeping', restarts: 0, problem: null };
  const shown = status === 'healthy' ? 'running' : status;
  return { status: shown, restarts, problem, ...codedAs('problem', appReasons, problem) };
}

/** The trigger in responses and events. The row still has the old word for it. */
export const triggerOf = ({ trigger }: Pick<DeploymentRow, 'trigger'>): Deployment['trigger'] =>
  trigger === 'api' ? 'manual' : trigger;

/** The duration in whole seconds. 0 if the deployment was canceled before it began. Null before its end. */
export function durationOf({
  started_at,
  completed_at,
}: Pick<DeploymentRow, 'started_at' | 'completed_at'>): number | null {
  if (!completed_at) return null;
  return started_at ? Math.max(0, Math.round((completed_at.getTime() - started_at.getTime()) / 1000)) : 0;
}
