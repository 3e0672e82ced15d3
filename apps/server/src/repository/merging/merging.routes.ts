import { type Commit, type CreateMerge, routes } from '@bottega/contract';
import type { FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import type { Trx } from '../../foundation/db/index.ts';
import { jsonInSlices } from '../../foundation/http/answers/json-in-slices.ts';
import {
  type App,
  answeredBefore,
  causeOf,
  createOnce,
  type HeavyReads,
  handle,
  hasGone,
  type Once,
  principalOf,
} from '../../foundation/http/index.ts';
import { readableProject } from '../../projects/index.ts';
import { whenGone } from '../cache/index.ts';
import { compareHistories, describeComparison } from './compare.service.ts';
import { endsIn, type Merging, mergeBranches } from './merge.service.ts';
import { readResolutions } from './resolutions.ts';

type Options = Merging & {
  once: Once;
  heavy: HeavyReads;
  largeBodies: preParsingHookHandler;
  fileBodyLimit: number;
};

export function mergingRoutes(app: App, { once, heavy, largeBodies, fileBodyLimit, ...merging }: Options): void {
  const { limits } = merging;

  handle(app, routes.compareCommits, async (request, reply) => {
    const { userId } = principalOf(request);
    const asked = { userId, projectId: request.params.project_id, query: request.query };
    const histories = await whileThere(reply, (signal) => compareHistories(merging, { ...asked, signal }));
    const comparison = await heavy(request, reply, (reads) => describeComparison(reads, asked, histories));
    const text = await jsonInSlices(comparison, 'files');
    reply.type('application/json; charset=utf-8').serializer(() => text);
    return comparison;
  });

  const withContents = {
    bodyLimit: fileBodyLimit,
    preParsing: largeBodies,
    checks: (request: FastifyRequest) => {
      const { project_id: id } = request.params as { project_id: string };
      const readable = () => readableProject(merging.db, id, principalOf(request).userId);
      const find = endsIn(merging.db, id);
      return {
        source: async (name: string) => (await readable()) && find.source(name),
        target: async (name: string) => (await readable()) && find.target(name),
        resolutions: (sent: NonNullable<CreateMerge['resolutions']>) => readResolutions(sent, limits.file),
      };
    },
  };
  handle(app, routes.createMerge, withContents, async (request, reply) => {
    const asked = {
      userId: principalOf(request).userId,
      projectId: request.params.project_id,
      cause: causeOf(request),
      input: request.body,
      resolutions: await readResolutions(request.body.resolutions ?? [], limits.file),
      store: (work: (trx: Trx) => Promise<Commit>) => createOnce(once, request, reply, work),
    };
    const merge = () => whileThere(reply, (signal) => mergeBranches(merging, { ...asked, signal }));
    return unlessAnswered(once, { request, reply }, merge);
  });
}

/** Runs work that ends when the client disconnects. Failures after that are not errors of the service. */
function whileThere<Result>(reply: FastifyReply, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const gone = whenGone(reply);
  return work(gone).catch((error: unknown) => {
    throw gone.aborted ? hasGone() : error;
  });
}

/**
 * Runs the work unless a response is already stored for the request's Idempotency-Key. It looks both before and after
 * the work, because an earlier request with the same key may have changed what this one finds.
 */
async function unlessAnswered(
  once: Once,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  merge: () => Promise<Commit>,
): Promise<Commit> {
  const former = await answeredBefore<Commit>(once, request, reply);
  if (former) return former.body;
  return merge().catch(async (error: unknown) => {
    const meanwhile = await answeredBefore<Commit>(once, request, reply);
    if (meanwhile) return meanwhile.body;
    throw error;
  });
}
