import { follow } from './following.ts';
import type { DeploymentsResource } from './generated/resources.ts';
import type { Deployment, LogEntry } from './generated/types.ts';
import { pathOf, queryText } from './operation.ts';
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
   * The log, line by line as it is written, until the deployment has ended. After a lost connection it continues after
   * the last line, so that no line is missing or repeated. The generator returns how the deployment ended.
   */
  followLogs(
    deployment: DeploymentIds,
    options?: CallOptions & {
      /** `seq` of a line: returns only later lines. */
      after?: number | undefined;
    },
  ): AsyncGenerator<LogEntry, Deployment['status']>;
}

export function withFollowing(transport: Transport, deployments: DeploymentsResource): Deployments {
  return {
    ...deployments,
    followLogs: (deployment, { after = 0, ...options } = {}) => followLogs(transport, deployment, after, options),
    async waitFor(deployment, options) {
      const log = followLogs(transport, deployment, behindEveryLine, options);
      while (!(await log.next()).done);
      return deployments.get(deployment.project_id, deployment.id, options);
    },
  };
}

/** No line has a greater number, so only the end of the log is left to read. */
const behindEveryLine = 2_147_483_647;

async function* followLogs(
  transport: Transport,
  deployment: DeploymentIds,
  after: number,
  options: CallOptions = {},
): AsyncGenerator<LogEntry, Deployment['status']> {
  const address = 'GET /projects/{project_id}/deployments/{deployment_id}/logs';
  const { path } = pathOf(address, [deployment.project_id, deployment.id]);
  const events = follow(transport, { path: path + queryText({ after }), options });
  for await (const { event, data } of events) {
    if (event === 'end') return (JSON.parse(data) as Pick<Deployment, 'status'>).status;
    if (event === 'log') yield JSON.parse(data) as LogEntry;
  }
  throw new Error('an event stream has no end');
}
