import type { Readable } from 'node:stream';
import { scopeAllows } from '@bottega/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Db } from '../db/pool.ts';
import { forbidden, malformed, notFound } from '../http/app-error.ts';
import { causeOf } from '../http/cause.ts';
import { allowSlowBody } from '../http/client-errors.ts';
import { principalOf } from '../http/guard.ts';
import type { App } from '../http/typed-app.ts';
import { type ReadableProject, readableProject, writableProject } from '../projects/index.ts';
import { advertiseForPush } from './advertisement.ts';
import { atMost, readableBody } from './git-body.ts';
import { sendGitError } from './git-errors.ts';
import type { Pushes } from './push.service.ts';
import { answerPush } from './push-answer.ts';
import { readPushRequest } from './push-request.ts';
import { listAllRefs } from './refs.service.ts';
import { advertiseForFetch, serveFetch } from './upload-pack.ts';

const ofRepository = Type.Object({ repository: Type.String() });
const hidden = { hide: true };

/** No list of what a client has is longer; a longer one is no list. */
const mostFetchBytes = 32 * 1024 * 1024;
/** The largest pack over a line of one megabit a second. */
const longestPushMs = 40 * 60_000;

/** Git's smart HTTP, below `/git`. Its client speaks Basic only: any user name, and a key or token as the password. */
export function gitRoutes(app: App, pushes: Pushes): void {
  const { db } = pushes;
  app.register(async (scope: App) => {
    scope.setErrorHandler(sendGitError);
    for (const service of ['upload', 'receive']) {
      // The body is a stream: a push may be larger than memory.
      scope.addContentTypeParser(`application/x-git-${service}-pack-request`, (_request, body, done) =>
        done(null, body),
      );
    }

    scope.get(
      '/git/:repository/info/refs',
      {
        exposeHeadRoute: false,
        config: { access: 'read:files', basicAuth: true },
        schema: {
          ...hidden,
          params: ofRepository,
          querystring: Type.Object({ service: Type.Optional(Type.String()) }),
        },
      },
      async (request, reply) => {
        const { service } = request.query;
        if (service === 'git-upload-pack') {
          const { id } = await fetchable(db, request);
          const refs = await advertiseForFetch(pushes, id, protocolOf(request));
          return answer(reply, 'upload-pack-advertisement').send(Buffer.concat([fetchHeader(request), refs]));
        }
        if (service === 'git-receive-pack') {
          const { id } = await pushable(db, request);
          return answer(reply, 'receive-pack-advertisement').send(advertiseForPush(await listAllRefs(db, id)));
        }
        throw forbidden('Only the smart protocol is spoken here: a git client of version 1.6.6 or newer');
      },
    );

    scope.post(
      '/git/:repository/git-upload-pack',
      { config: { access: 'read:files', basicAuth: true }, schema: { ...hidden, params: ofRepository } },
      async (request, reply) => {
        const { id } = await fetchable(db, request);
        const body = atMost(mostFetchBytes, bodyOf(request));
        const gone = new AbortController();
        reply.raw.once('close', () => gone.abort());
        await serveFetch(
          pushes,
          { projectId: id, body, protocol: protocolOf(request), signal: gone.signal },
          (stream) => void answer(reply, 'upload-pack-result').send(stream),
        );
        return reply;
      },
    );

    scope.post(
      '/git/:repository/git-receive-pack',
      {
        config: { access: 'write:files', basicAuth: true },
        schema: { ...hidden, params: ofRepository },
        onRequest: async (request) => allowSlowBody(request, longestPushMs),
      },
      async (request, reply) => {
        const { id } = await pushable(db, request);
        const asked = await readPushRequest(bodyOf(request));
        // Before git sends a large pack it sends nothing, to see whether it may.
        if (asked.commands.length === 0) return answer(reply, 'receive-pack-result').send(Buffer.alloc(0));
        const pusher = { userId: principalOf(request).userId, projectId: id, cause: causeOf(request) };
        await answerPush(pushes, pusher, asked, {
          requestId: request.id,
          log: request.log,
          send: (stream) => void answer(reply, 'receive-pack-result').send(stream),
        });
        return reply;
      },
    );
  });
}

async function fetchable(db: Db, request: FastifyRequest): Promise<ReadableProject> {
  return underVersionControl(await readableProject(db, projectIdOf(request), principalOf(request).userId));
}

async function pushable(db: Db, request: FastifyRequest): Promise<ReadableProject> {
  const principal = principalOf(request);
  if (!scopeAllows(principal.scopes, 'write:files')) {
    await fetchable(db, request);
    throw forbidden('To push, the key needs the scope write:files');
  }
  return underVersionControl(await writableProject(db, projectIdOf(request), principal.userId));
}

function underVersionControl(project: ReadableProject): ReadableProject {
  if (!project.version_control) throw notFound('Repository');
  return project;
}

function projectIdOf(request: FastifyRequest): string {
  return (request.params as { repository: string }).repository.replace(/\.git$/, '');
}

function protocolOf(request: FastifyRequest): { version: string | undefined } {
  const header = request.headers['git-protocol'];
  return { version: typeof header === 'string' ? header : undefined };
}

/** Version 2 of the protocol has dropped the line that says which service this is. */
function fetchHeader(request: FastifyRequest): Buffer {
  const isVersion2 = /(^|:)version=2(:|$)/.test(protocolOf(request).version ?? '');
  return Buffer.from(isVersion2 ? '' : '001e# service=git-upload-pack\n0000');
}

function bodyOf(request: FastifyRequest): Readable {
  if (!request.body) throw malformed('The body is missing');
  return readableBody(request.body as Readable, request.headers['content-encoding']);
}

function answer(reply: FastifyReply, kind: string): FastifyReply {
  return reply.headers({
    'content-type': `application/x-git-${kind}`,
    'cache-control': 'no-cache, max-age=0, must-revalidate',
    expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
    pragma: 'no-cache',
  });
}
