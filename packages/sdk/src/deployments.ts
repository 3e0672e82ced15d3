import type { DeploymentsResource } from './generated/resources.ts';
import type { Deployment, LogEntry } from './generated/types.ts';
import { followLog, type LogOptions } from './logs.ts';
import { pathOf } from './operation.ts';
import type { CallOptions } from './options.ts';
import type { Transport } from './transport.ts';

/** A deployment, or only its ids. */
export type DeploymentIds = Pick<Deployment, 'project_id' | 'id'>;

export interface Deployments extends DeploymentsResource {
  /**
   * Waits until a deployment has succeeded, failed or been canceled, and returns it. A signal limits the wait: `{
   * signal: AbortSignal.timeout(600_000) }`.
   */
  waitFor(deployment: DeploymentIds, options?: CallOptions): Promise<Deployment>;
  /**
   * The log, line by line as it is written, until the deployment has ended. If the connection is lost, the next one
   * continues after the last line, so that no line is missing or repeated. The generator returns how the deployment
   * ended.
   */
  followLogs(deployment: DeploymentIds, options?: LogOptions): AsyncGenerator<LogEntry, Deployment['status']>;
}

export function withFollowing(transport: Transport, deployments: DeploymentsResource): Deployments {
  return {
    ...deployments,
    followLogs: (deployment, options) => followLogs(transport, deployment, options),
    async waitFor(deployment, options) {
      const log = followLogs(transport, deployment, { ...options, after: behindEveryLine });
      while (!(await log.next()).done);
      return deployments.get(deployment.project_id, deployment.id, options);
    },
  };
}

/** A number that no line reaches. After it, only the end of the log is left to read. */
const behindEveryLine = 2_147_483_647;

async function* followLogs(
  transport: Transport,
  { project_id, id }: DeploymentIds,
  options: LogOptions = {},
): AsyncGenerator<LogEntry, Deployment['status']> {
  const { path } = pathOf('GET /projects/{project_id}/deployments/{deployment_id}/logs', [project_id, id]);
  return (yield* followLog<Pick<Deployment, 'status'>>(transport, path, options)).status;
}
