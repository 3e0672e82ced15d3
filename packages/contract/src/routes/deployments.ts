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

const outsideLive = 'Users who are not members of a public project see only its live deployment, without its settings.';

export const deploymentRoutes = defineRoutes('Deployments', {
  listDeployments: {
    address: 'GET /projects/{project_id}/deployments',
    access: 'read:deployments',
    summary: 'List the deployments of a project, newest first',
    description: `Needs the scope \`read:deployments\`. ${outsideLive}`,
    query: DeploymentListQuery,
    responses: { 200: DeploymentList },
  },
  listEnvironments: {
    address: 'GET /projects/{project_id}/environments',
    access: 'read:deployments',
    summary: 'List the environments of a project with the latest deployment of each',
    description:
      'Needs the scope `read:deployments`. `production` comes first, then the most recently deployed; at most 100. ' +
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
    description: `Needs the scope \`read:deployments\`. ${outsideLive}`,
    responses: { 200: Deployment },
  },
  readDeploymentLogs: {
    address: 'GET /projects/{project_id}/deployments/{deployment_id}/logs',
    access: 'read:deployments',
    summary: 'Read the log; with `Accept: text/event-stream`, follow it',
    description:
      'Needs the scope `read:deployments`. As server-sent events, each line is a `log` event whose id is its ' +
      '`seq`; `Last-Event-ID` resumes after it, and an `end` event with the status comes last. With `source=runtime` ' +
      `there is no \`end\` while the deployment is a server app that can run. ${peopleOnly}`,
    query: DeploymentLogsQuery,
    responses: { 200: DeploymentLogs },
  },
  listArtifacts: {
    address: 'GET /projects/{project_id}/deployments/{deployment_id}/artifacts',
    access: 'read:deployments',
    summary: 'List the files that a deployment serves',
    description: `Needs the scope \`read:deployments\`. ${peopleOnly}`,
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
    summary: 'Cancel a deployment; responds once everything has stopped',
    responses: { 200: Deployment },
  },
  promoteDeployment: {
    address: 'POST /projects/{project_id}/deployments/{deployment_id}/promote',
    access: 'write:deployments',
    summary: 'Make a successful deployment the live one',
    description:
      'Needs the scope `write:deployments`. Responds with 409 if it did not succeed or its files were purged.',
    responses: { 200: Deployment },
  },
  rollBackDeployment: {
    address: 'POST /projects/{project_id}/deployments/{deployment_id}/rollback',
    access: 'write:deployments',
    summary: 'Go back to an earlier successful deployment',
    description:
      'Needs the scope `write:deployments`. Responds with 409 if it did not succeed or its files were purged.',
    responses: { 200: Deployment },
  },
});
