import { routes } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import type { SecretBox } from '../../foundation/crypto/secret-box.ts';
import { asksForEvents, sendEvents } from '../../foundation/http/answers/server-sent-events.ts';
import { type App, asPage, causeOf, createOnce, handle, type Once, principalOf } from '../../foundation/http/index.ts';
import { readableProject } from '../../projects/index.ts';
import { followLogs, lastLineOf, logOfDeployment, logsAsJson } from '../logs/index.ts';
import { readableDeployment } from '../state/index.ts';
import { type Actions, cancelDeployment, makeLive } from './actions.service.ts';
import {
  createDeployment,
  endOfLog,
  listArtifacts,
  listDeployments,
  listEnvironments,
  readDeployment,
  redeploy,
  sourceOf,
} from './deployments.service.ts';

const which = ({ params }: { params: { project_id: string; deployment_id: string } }) => ({
  projectId: params.project_id,
  id: params.deployment_id,
});

export type DeploymentRoutes = Once &
  Actions & {
    box: SecretBox;
    isDraining: () => boolean;
    /** Throws if the request's credential is no longer valid. */
    stillHolds: (request: FastifyRequest) => Promise<void>;
  };

export function deploymentRoutes(app: App, options: DeploymentRoutes): void {
  const { db, addresses, box, bell } = options;

  handle(app, routes.listDeployments, async (request, reply) => {
    const principal = principalOf(request);
    const deployments = await listDeployments(db, principal, request.params.project_id, request.query, addresses);
    return asPage(request, reply, addresses.publicUrl(), deployments);
  });

  handle(app, routes.listEnvironments, async (request) => ({
    data: await listEnvironments(db, principalOf(request), request.params.project_id, addresses),
  }));

  const checks = (request: FastifyRequest) => ({
    async branch(branch: string) {
      const { project_id: id } = request.params as { project_id: string };
      await sourceOf(db, await readableProject(db, id, principalOf(request).userId), branch);
    },
  });
  handle(app, routes.createDeployment, { checks }, async (request, reply) => {
    const context = { addresses, box, cause: causeOf(request) };
    const { project_id: projectId } = request.params;
    const created = await createOnce(options, request, reply, (trx) =>
      createDeployment(trx, principalOf(request), projectId, request.body, context),
    );
    bell.ring('queue');
    return created;
  });

  handle(app, routes.readDeployment, (request) => readDeployment(db, principalOf(request), which(request), addresses));

  handle(app, routes.readDeploymentLogs, async (request, reply) => {
    const principal = principalOf(request);
    await readableDeployment(db, principal, which(request));
    const log = logOfDeployment(which(request).id);
    // A stream is sent as text, so its type differs from the schema that describes it.
    if (!asksForEvents(request)) {
      reply.type('application/json; charset=utf-8');
      return reply.send(logsAsJson(db, log, request.query) as never);
    }
    const after = lastLineOf(request) ?? request.query.after ?? 0;
    const { source } = request.query;
    const closed = new AbortController();
    const lines = followLogs(db, log, {
      ...{ after, source, bell, isDraining: options.isDraining },
      signal: closed.signal,
      ended: () => endOfLog(db, which(request), source),
      mayStill: () => options.stillHolds(request).then(() => readableDeployment(db, principal, which(request))),
    });
    return sendEvents(reply as never, lines, () => closed.abort()) as never;
  });

  handle(app, routes.listArtifacts, (request) => listArtifacts(db, principalOf(request), which(request), addresses));

  handle(app, routes.redeploy, async (request, reply) => {
    const context = { addresses, box, cause: causeOf(request) };
    const created = await createOnce(options, request, reply, (trx) =>
      redeploy(trx, principalOf(request), which(request), context),
    );
    bell.ring('queue');
    return created;
  });

  handle(app, routes.cancelDeployment, (request) => cancelDeployment(options, principalOf(request), which(request)));
  handle(app, routes.promoteDeployment, (request) => makeLive(options, principalOf(request), which(request)));
  handle(app, routes.rollBackDeployment, (request) => makeLive(options, principalOf(request), which(request)));
}
