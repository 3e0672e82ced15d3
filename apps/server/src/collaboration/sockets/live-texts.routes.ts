import { routes } from '@bottega/contract';
import type { FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import type { Db } from '../../foundation/db/index.ts';
import { type App, handle, notFound, principalOf } from '../../foundation/http/index.ts';
import { mustNotBeProtected } from '../../projects/access/index.ts';
import { writableProject } from '../../projects/index.ts';
import { type LiveEngine, mergeDiskChange } from '../texts/index.ts';
import type { Peers } from './peer-requests.ts';

type Options = { db: Db; texts: LiveEngine; peers: Peers; atOwner: preHandlerAsyncHookHandler };

/** The route through which workers pass on files that programs write. Only nodes of the service can call it. */
export function liveTextRoutes(app: App, { db, texts, peers, atOwner }: Options): void {
  const mustBePeer = async ({ raw }: FastifyRequest) => {
    if (!peers.read(raw)) throw notFound('Route');
  };
  handle(app, routes.mergeLiveText, { preHandler: [mustBePeer, atOwner] }, async (request, reply) => {
    const { project_id: projectId } = request.params;
    const { userId } = principalOf(request);
    const { branch, path, base, content } = request.body;
    mustNotBeProtected(await writableProject(db, projectId, userId), branch);
    await mergeDiskChange(texts, { projectId, branch, path }, { base, content, userId });
    return reply.code(204).send(null as never);
  });
}
