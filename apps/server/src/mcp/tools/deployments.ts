import { CreateDeployment, DeploymentListQuery, type LogEntry, routes } from '@bottega/contract';
import { Type } from 'typebox';
import { showPages } from './lists.ts';
import { asRefusal, hasFailed, jsonOf, listed } from './results.ts';
import { asJson, defineTool, idempotencyKey, limit, page, projectId, routeTool } from './tool.ts';

const deploymentId = Type.String({ maxLength: 64, description: 'dep_…' });
const place = { project_id: projectId, deployment_id: deploymentId };
const linesAtOnce = 500;

export const listDeployments = routeTool({
  name: 'list_deployments',
  title: 'List deployments',
  description: 'Lists the deployments of a project with status and address, newest first.',
  route: routes.listDeployments,
  fields: {
    project_id: projectId,
    environment: DeploymentListQuery.properties.environment,
    status: DeploymentListQuery.properties.status,
    limit: limit(50, 20),
    page,
  },
  show: showPages('data'),
});

export const readDeployment = routeTool({
  name: 'read_deployment',
  title: 'Read a deployment',
  description: 'Returns the status of a deployment (pending, building, success, failed or canceled) and why it failed.',
  route: routes.readDeployment,
  fields: place,
});

export const readLogs = defineTool({
  name: 'read_deployment_logs',
  title: 'Read a deployment log',
  description: 'Returns the output of the build and the app. Call it again with `after` to get later lines.',
  route: routes.readDeploymentLogs,
  input: Type.Object({
    ...place,
    after: routes.readDeploymentLogs.query.properties.after,
    limit: limit(2000, linesAtOnce),
  }),
  async run({ api }, { after, limit: max = linesAtOnce, ...params }) {
    const answer = await api(routes.readDeploymentLogs, { params, query: { after, limit: max } });
    if (hasFailed(answer)) return asRefusal(answer);
    const { logs } = jsonOf(answer) as { logs: LogEntry[] };
    const lines = logs.map((entry) => `${entry.seq} ${entry.timestamp} ${entry.level} ${entry.message}`);
    const next = (shown: number) => {
      const isAll = shown === logs.length && logs.length < max;
      return isAll ? null : { after: logs[shown - 1]?.seq };
    };
    return listed({ about: `${logs.length} lines: number, time, level, text.`, lines, next });
  },
});

const { environment, branch, build_command, output_directory } = CreateDeployment.properties;

export const createDeployment = routeTool({
  name: 'create_deployment',
  title: 'Deploy',
  description: 'Builds and serves a branch. `production` goes live automatically. Follow it with read_deployment.',
  route: routes.createDeployment,
  hints: { destructive: true, openWorld: true },
  fields: {
    project_id: projectId,
    environment,
    branch,
    build_command,
    output_directory,
    idempotency_key: idempotencyKey,
  },
});

const actions = { promote: routes.promoteDeployment, cancel: routes.cancelDeployment };

export const changeDeployment = defineTool({
  name: 'change_deployment',
  title: 'Promote or cancel a deployment',
  description: '`promote` makes a successful deployment live; `cancel` stops a deployment that has not ended.',
  route: routes.promoteDeployment,
  hints: { destructive: true, idempotent: true, openWorld: true },
  input: Type.Object({ ...place, action: Type.Enum(['promote', 'cancel']) }),
  async run({ api }, { action, ...params }) {
    const answer = await api(actions[action], { params });
    return hasFailed(answer) ? asRefusal(answer) : asJson(jsonOf(answer));
  },
});
