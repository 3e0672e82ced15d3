import type { Readable } from 'node:stream';
import type { unversionedRoutes } from '@bottega/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type App, forbidden, handle, malformed } from '../../foundation/http/index.ts';
import { type Fetches, mustKeepReading, withGitSlot } from '../cache/index.ts';
import { atMost, readableBody } from './git-body.ts';
import { sendGitError } from './git-errors.ts';
import { advertiseForFetch, serveFetch } from './upload-pack.ts';

/** Largest fetch request in bytes. No genuine list of a client's commits is longer. */
const maxFetchBytes = 32 * 1024 * 1024;

/** The id in the URL, with or without the `.git` suffix. */
export function repositoryIdOf(request: FastifyRequest): string {
  return (request.params as { repository: string }).repository.replace(/\.git$/, '');
}

/** Prepares a scope for git's client: errors in its form, and the body as a stream. */
export function speakGit(scope: App, services: ('upload' | 'receive')[]): void {
  scope.setErrorHandler(sendGitError);
  for (const service of services) {
    // The body is a stream, because a push may be larger than memory.
    scope.addContentTypeParser(`application/x-git-${service}-pack-request`, (_request, body, done) => done(null, body));
  }
}

type Routes = typeof unversionedRoutes;
type FetchRoute = {
  fetch: Routes['fetchFromGit'] | Routes['fetchTemplateFromGit'];
  fetches: Fetches;
  /** Finds the repository after checking that the caller may fetch from it. */
  find: (request: FastifyRequest) => Promise<string>;
};

/** Git's client supports only Basic authentication. */
export const byGit = { config: { basicAuth: true } };

/** Repositories that can be fetched but not pushed to. */
export function readOnlyGitRoutes(app: App, options: FetchRoute & { refs: Routes['readTemplateGitRefs'] }): void {
  const { refs, fetches, find } = options;
  app.register(async (scope: App) => {
    speakGit(scope, ['upload']);
    handle(scope, refs, { ...byGit, exposeHeadRoute: false }, async (request, reply) => {
      const { service } = request.query;
      if (service === 'git-upload-pack') return sendRefs(request, reply, { fetches, find });
      await find(request);
      throw forbidden(service === 'git-receive-pack' ? 'This repository is read-only' : smartOnly);
    });
    fetchRoute(scope, options);
  });
}

export const smartOnly = "This server supports only git's smart protocol: use git 1.6.6 or newer";

/** Handles the second request of a clone or fetch, after the references. */
export function fetchRoute(scope: App, { fetch, fetches, find }: FetchRoute): void {
  handle(scope, fetch, byGit, async (request, reply) => {
    const body = atMost(maxFetchBytes, bodyOf(request));
    const send = (stream: Readable): void => {
      mustKeepReading(reply);
      void answer(reply, 'upload-pack-result').send(stream);
    };
    return withGitSlot(fetches.slots, { request, reply }, async (signal) => {
      const projectId = await find(request);
      return serveFetch(fetches, { projectId, body, protocol: protocolOf(request), signal }, send);
    });
  });
}

/**
 * The first response to a clone or fetch. It runs in a slot, so that a hundred do not query the database together.
 */
export async function sendRefs(
  request: FastifyRequest,
  reply: FastifyReply,
  { fetches, find }: Pick<FetchRoute, 'fetches' | 'find'>,
): Promise<FastifyReply> {
  return withGitSlot(fetches.slots, { request, reply }, async () => {
    const id = await find(request);
    const refs = await advertiseForFetch(fetches, id, protocolOf(request));
    void answer(reply, 'upload-pack-advertisement').send(Buffer.concat([fetchHeader(request), refs]));
  });
}

function protocolOf(request: FastifyRequest): { version: string | undefined } {
  const header = request.headers['git-protocol'];
  return { version: typeof header === 'string' ? header : undefined };
}

/** The first line of the response, which names the service. Version 2 of the protocol has no such line. */
function fetchHeader(request: FastifyRequest): Buffer {
  const isVersion2 = /(^|:)version=2(:|$)/.test(protocolOf(request).version ?? '');
  return Buffer.from(isVersion2 ? '' : '001e# service=git-upload-pack\n0000');
}

export function bodyOf(request: FastifyRequest): Readable {
  if (!request.body) throw malformed('The body is missing');
  return readableBody(request.body as Readable, request.headers['content-encoding']);
}

export function answer(reply: FastifyReply, kind: string): FastifyReply {
  return reply.headers({
    'content-type': `application/x-git-${kind}`,
    'cache-control': 'no-cache, max-age=0, must-revalidate',
    expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
    pragma: 'no-cache',
  });
}
