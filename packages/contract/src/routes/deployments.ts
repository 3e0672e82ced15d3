import {
  CreateDeployment,
  Deployment,
  DeploymentArtifacts,
  DeploymentList,
  DeploymentListQuery,
  DeploymentLogs,
  DeploymentLogsQuery,
  EnvironmentList,
} from '../deployments.ts';
import { defineRoutes, peopleOnly } from './route.ts';

const outsideLive =
  'On a public project, users who are not members see only the live deployment, without its settings.';

export const deploymentRoutes = defineRoutes('Deployments', {
  listDeployments: {
    address: 'GET /projects/{project_id}/deployments',
    access: 'read:deployments',
    summary: "List a project's deployments, newest first",
    description: `Requires the \`read:deployments\` scope. ${outsideLive}`,
    query: DeploymentListQuery,
    responses: { 200: DeploymentList },
  },
  listEnvironments: {
    address: 'GET /projects/{project_id}/environments',
    access: 'read:deployments',
    summary: "List a project's environments, each with its latest deployment",
    description:
      'Requires the `read:deployments` scope. Returns at most 100 environments: `production` first, then by latest deployment. ' +
      peopleOnly,
    responses: { 200: EnvironmentList },
  },
  createDeployment: {
    address: 'POST /projects/{project_id}/deployments',
    access: 'write:deployments',
    summary: 'Deploy a branch',
    body: CreateDeployment,
    responses: { 201: Deployment },
  },
  readDeployment: {
    address: 'GET /projects/{project_id}/deployments/{deployment_id}',
    access: 'read:deployments',
    summary: 'Read a deployment',
    description: `Requires the \`read:deployments\` scope. ${outsideLive}`,
    responses: { 200: Deployment },
  },
  readDeploymentLogs: {
    address: 'GET /projects/{project_id}/deployments/{deployment_id}/logs',
    access: 'read:deployments',
    summary: "Read a deployment's log; with `Accept: text/event-stream`, follow the log",
    description:
      'Requires the `read:deployments` scope. In a stream, each line is a `log` event whose id is the ' +
      '`seq` of the line. `Last-Event-ID` resumes after that line. The stream ends with an `end` event that contains the status. With `source=runtime`, ' +
      `the stream does not end as long as the deployment is a server app that can run. ${peopleOnly}`,
    query: DeploymentLogsQuery,
    responses: { 200: DeploymentLogs },
  },
  listArtifacts: {
    address: 'GET /projects/{project_id}/deployments/{deployment_id}/artifacts',
    access: 'read:deployments',
    summary: 'List the files that a deployment serves',
    description: `Requires the \`read:deployments\` scope. ${peopleOnly}`,
    responses: { 200: DeploymentArtifacts },
  },
  redeploy: {
    address: 'POST /projects/{project_id}/deployments/{deployment_id}/redeploy',
    access: 'write:deployments',
    summary: 'Deploy the same commit again with the same settings',
    responses: { 201: Deployment },
  },
  cancelDeployment: {
    address: 'POST /projects/{project_id}/deployments/{deployment_id}/cancel',
    access: 'write:deployments',
    summary: 'Cancel a deployment; the response waits until all its processes have stopped',
    responses: { 200: Deployment },
  },
  promoteDeployment: {
    address: 'POST /projects/{project_id}/deployments/{deployment_id}/promote',
    access: 'write:deployments',
    summary: 'Make a successful deployment the live one',
    description:
      'Requires the `write:deployments` scope. Returns 409 if the deployment did not succeed or its files were purged.',
    responses: { 200: Deployment },
  },
  rollBackDeployment: {
    address: 'POST /projects/{project_id}/deployments/{deployment_id}/rollback',
    access: 'write:deployments',
    summary: 'Roll back to an earlier successful deployment',
    description:
      'Requires the `write:deployments` scope. Returns 409 if the deployment did not succeed or its files were purged.',
    responses: { 200: Deployment },
  },
});
