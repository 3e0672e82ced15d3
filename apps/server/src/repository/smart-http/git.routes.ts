import { scopeAllows, unversionedRoutes } from '@bottega/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createSlots } from '../../foundation/concurrency/slots.ts';
import type { Db } from '../../foundation/db/index.ts';
import { type App, causeOf, forbidden, handle, notFound, principalOf } from '../../foundation/http/index.ts';
import { allowSlowBody } from '../../foundation/http/server/client-errors.ts';
import { type ReadableProject, readableProject, writableProject } from '../../projects/index.ts';
import { whenGone, withGitSlot } from '../cache/index.ts';
import { listAllRefs } from '../store/index.ts';
import { advertiseForPush } from './advertisement.ts';
import { answer, bodyOf, byGit, fetchRoute, repositoryIdOf, sendRefs, smartOnly, speakGit } from './fetch.routes.ts';
import { keepsComing, slowest, whereOthersWait } from './git-body.ts';
import { fewReceived, type Pushes } from './push.service.ts';
import { answerPush } from './push-answer.ts';
import { readPushRequest } from './push-request.ts';

/** Longest time for a push. It is enough to send the largest pack at one megabit per second. */
const longestPushMs = 40 * 60_000;

const patiently = { ...byGit, onRequest: async (request: FastifyRequest) => allowSlowBody(request, longestPushMs) };

/**
 * Git's smart HTTP, below `/git`. Git's client supports only Basic authentication, with any user name, and a key or
 * token as the password.
 */
export function gitRoutes(app: App, pushes: Pushes, stillHolds: (request: FastifyRequest) => Promise<void>): void {
  const { db } = pushes;
  const receiving = { ...pushes, receiving: createSlots(fewReceived) };
  const isCrowded = () => {
    const { running, waiting } = receiving.receiving.figures();
    return waiting > 0 && running >= fewReceived.total;
  };
  const fastEnough = [slowest, whereOthersWait(isCrowded)];
  const find = async (request: FastifyRequest) => (await fetchable(db, request)).id;
  app.register(async (scope: App) => {
    speakGit(scope, ['upload', 'receive']);

    handle(scope, unversionedRoutes.readGitRefs, { ...byGit, exposeHeadRoute: false }, async (request, reply) => {
      const { service } = request.query;
      if (service === 'git-upload-pack') return sendRefs(request, reply, { fetches: pushes, find });
      if (service === 'git-receive-pack') {
        const { id } = await pushable(db, request);
        return withGitSlot(pushes.slots, { request, reply }, async () => {
          const refs = advertiseForPush(await listAllRefs(db, id));
          void answer(reply, 'receive-pack-advertisement').send(refs);
        });
      }
      throw forbidden(smartOnly);
    });

    fetchRoute(scope, { fetch: unversionedRoutes.fetchFromGit, fetches: pushes, find });

    handle(scope, unversionedRoutes.pushToGit, patiently, async (request, reply) => {
      const { id } = await pushable(db, request);
      const asked = await readPushRequest(keepsComing(bodyOf(request), ...fastEnough)).catch(hangUp(reply));
      // Before a large pack, git sends an empty request to check whether it may push.
      if (asked.commands.length === 0) return answer(reply, 'receive-pack-result').send(Buffer.alloc(0));
      const pusher = {
        userId: principalOf(request).userId,
        projectId: id,
        cause: causeOf(request),
        signal: whenGone(reply),
        stillHolds: () => stillHolds(request),
      };
      await answerPush(receiving, pusher, asked, {
        requestId: request.id,
        log: request.log,
        send: (stream) => void answer(reply, 'receive-pack-result').send(stream),
      }).catch(hangUp(reply));
      return reply;
    });
  });
}

/** Closes the connection of a client that continues to send a refused body. */
function hangUp(reply: FastifyReply): (error: unknown) => never {
  return (error) => {
    reply.header('connection', 'close');
    throw error;
  };
}

async function fetchable(db: Db, request: FastifyRequest): Promise<ReadableProject> {
  return underVersionControl(await readableProject(db, repositoryIdOf(request), principalOf(request).userId));
}

async function pushable(db: Db, request: FastifyRequest): Promise<ReadableProject> {
  const principal = principalOf(request);
  if (!scopeAllows(principal.scopes, 'write:files')) {
    await fetchable(db, request);
    throw forbidden('Pushing requires a key with the scope write:files');
  }
  return underVersionControl(await writableProject(db, repositoryIdOf(request), principal.userId));
}

function underVersionControl(project: ReadableProject): ReadableProject {
  if (!project.version_control) throw notFound('Repository');
  return project;
}
