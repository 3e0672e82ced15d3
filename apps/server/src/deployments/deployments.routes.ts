import {
  CreateDeployment,
  Deployment,
  DeploymentArtifacts,
  DeploymentList,
  DeploymentListQuery,
  DeploymentLogs,
  DeploymentLogsQuery,
} from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { SecretBox } from '../foundation/crypto/secret-box.ts';
import { malformed } from '../foundation/http/app-error.ts';
import { causeOf } from '../foundation/http/cause.ts';
import { principalOf } from '../foundation/http/guard.ts';
import { createOnce, type Once } from '../foundation/http/idempotency.ts';
import { linkHeader, pageInfo } from '../foundation/http/pagination.ts';
import type { App } from '../foundation/http/typed-app.ts';
import { type Actions, cancelDeployment, makeLive } from './actions.service.ts';
import { createDeployment, listArtifacts, listDeployments, readDeployment, redeploy } from './deployments.service.ts';
import { followLogs, logsAsJson } from './logs.service.ts';

const tags = ['Deployments'];
const ofProject = Type.Object({ project_id: Type.String() });
const ofDeployment = Type.Object({ project_id: Type.String(), deployment_id: Type.String() });
const which = ({ params }: { params: { project_id: string; deployment_id: string } }) => ({
  projectId: params.project_id,
  id: params.deployment_id,
});

export type DeploymentRoutes = Once &
  Actions & {
    box: SecretBox;
    isDraining: () => boolean;
    /** Throws where the credential of a request no longer holds. */
    stillHolds: (request: FastifyRequest) => Promise<void>;
  };

export function deploymentRoutes(app: App, options: DeploymentRoutes): void {
  const { db, addresses, box, bell } = options;

  app.get(
    '/projects/:project_id/deployments',
    {
      config: { access: 'read:deployments' },
      schema: {
        tags,
        summary: 'List the deployments of a project, newest first',
        params: ofProject,
        querystring: DeploymentListQuery,
        response: { 200: DeploymentList },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const { data, total } = await listDeployments(db, principal, request.params.project_id, request.query, addresses);
      const pagination = pageInfo(request.query, total);
      reply.header('link', linkHeader(request, addresses.publicUrl(), pagination));
      return { data, pagination };
    },
  );

  app.post(
    '/projects/:project_id/deployments',
    {
      config: { access: 'write:deployments' },
      schema: {
        tags,
        summary: 'Deploy a branch',
        params: ofProject,
        body: CreateDeployment,
        response: { 201: Deployment },
      },
    },
    async (request, reply) => {
      const context = { addresses, box, cause: causeOf(request) };
      const { project_id: projectId } = request.params;
      const created = await createOnce(options, request, reply, (trx) =>
        createDeployment(trx, principalOf(request), projectId, request.body, context),
      );
      bell.ring('queue');
      return created;
    },
  );

  app.get(
    '/projects/:project_id/deployments/:deployment_id',
    {
      config: { access: 'read:deployments' },
      schema: { tags, summary: 'Read a deployment', params: ofDeployment, response: { 200: Deployment } },
    },
    (request) => readDeployment(db, principalOf(request), which(request), addresses),
  );

  app.get(
    '/projects/:project_id/deployments/:deployment_id/logs',
    {
      config: { access: 'read:deployments' },
      schema: {
        tags,
        summary: 'Read the log; with `Accept: text/event-stream`, follow it',
        description:
          'Needs the scope `read:deployments`. As server-sent events, every line is an event `log` whose id is its ' +
          '`seq`; `Last-Event-ID` resumes behind it, and an event `end` with the status is the last.',
        params: ofDeployment,
        querystring: DeploymentLogsQuery,
        response: { 200: DeploymentLogs },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      // A stream is sent as it is; its type is not that of the schema, which describes what it will have said.
      if (!/\btext\/event-stream\b/.test(request.headers.accept ?? '')) {
        reply.type('application/json; charset=utf-8');
        return reply.send((await logsAsJson(db, principal, which(request), request.query)) as never);
      }
      const after = lastEventId(request) ?? request.query.after ?? 0;
      const mayStill = () => options.stillHolds(request);
      const follow = { after, bell, mayStill, isDraining: options.isDraining };
      const stream = await followLogs(db, principal, which(request), follow);
      return reply
        .type('text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(stream as never);
    },
  );

  app.get(
    '/projects/:project_id/deployments/:deployment_id/artifacts',
    {
      config: { access: 'read:deployments' },
      schema: {
        tags,
        summary: 'List the files that a deployment serves',
        params: ofDeployment,
        response: { 200: DeploymentArtifacts },
      },
    },
    (request) => listArtifacts(db, principalOf(request), which(request), addresses),
  );

  app.post(
    '/projects/:project_id/deployments/:deployment_id/redeploy',
    {
      config: { access: 'write:deployments' },
      schema: {
        tags,
        summary: 'Deploy the same commit with the same settings again',
        params: ofDeployment,
        response: { 201: Deployment },
      },
    },
    async (request, reply) => {
      const context = { addresses, cause: causeOf(request) };
      const created = await createOnce(options, request, reply, (trx) =>
        redeploy(trx, principalOf(request), which(request), context),
      );
      bell.ring('queue');
      return created;
    },
  );

  const actions = {
    cancel: ['Stop a deployment; answers once everything has stopped', cancelDeployment],
    promote: ['Make a successful deployment the live one', makeLive],
    rollback: ['Go back to an earlier successful deployment', makeLive],
  } as const;
  for (const [name, [summary, act]] of Object.entries(actions)) {
    app.post(
      `/projects/:project_id/deployments/:deployment_id/${name}`,
      {
        config: { access: 'write:deployments' },
        schema: { tags, summary, params: ofDeployment, response: { 200: Deployment } },
      },
      (request) => act(options, principalOf(request), which(request as never)),
    );
  }
}

function lastEventId({ headers }: FastifyRequest): number | undefined {
  const id = headers['last-event-id'];
  if (id === undefined || id === '') return undefined;
  if (typeof id !== 'string' || !/^\d{1,9}$/.test(id)) throw malformed('Last-Event-ID must be the id of an event');
  return Number(id);
}
