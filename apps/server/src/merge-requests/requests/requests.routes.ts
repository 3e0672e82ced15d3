import { type MergeRequest, routes } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import type { Trx } from '../../foundation/db/index.ts';
import { jsonInSlices } from '../../foundation/http/answers/json-in-slices.ts';
import {
  type App,
  asPage,
  causeOf,
  createOnce,
  type HeavyReads,
  handle,
  notFound,
  type Once,
  principalOf,
} from '../../foundation/http/index.ts';
import { requestView } from '../state/index.ts';
import { changeRequest } from './change.service.ts';
import { createRequest } from './create.service.ts';
import { describeDiff, type FindMergeBase, sidesOf } from './diff.service.ts';
import { type Following, offerFromFork } from './forks.service.ts';
import { listOwnRequests, listRequests, listVersions, readableRequest, type Which } from './read.service.ts';

type Options = Following & {
  once: Once;
  heavy: HeavyReads;
  findMergeBase: FindMergeBase;
};

/** The request that the path names. If the number is not valid, the request does not exist. */
export const whichOf = ({ params }: { params: { project_id: string; number: string } }): Which => {
  if (!/^[1-9][0-9]{0,8}$/.test(params.number)) throw notFound('Merge request');
  return { projectId: params.project_id, number: Number(params.number) };
};

export function mergeRequestRoutes(app: App, options: Options): void {
  const { db, publicUrl, once, heavy, findMergeBase } = options;
  const read = (request: FastifyRequest & { params: { project_id: string; number: string } }) =>
    readableRequest(options, principalOf(request), whichOf(request), causeOf(request));

  handle(app, routes.createMergeRequest, (request, reply) => {
    const { project_id: projectId } = request.params;
    const { source_project } = request.body;
    const principal = principalOf(request);
    const make = (work: (trx: Trx) => Promise<MergeRequest>) => createOnce(once, request, reply, work);
    if (source_project !== undefined) {
      const input = { ...request.body, source_project };
      return offerFromFork(options, principal, { projectId, input, cause: causeOf(request), make });
    }
    const around = { publicUrl: publicUrl(), cause: causeOf(request) };
    return make((trx) => createRequest(trx, principal, projectId, request.body, around));
  });

  handle(app, routes.listMergeRequests, async (request, reply) => {
    const { project_id: projectId } = request.params;
    const page = await heavy(request, reply, (reads) =>
      listRequests({ ...options, db: reads }, principalOf(request), projectId, request.query),
    );
    return asPage(request, reply, publicUrl(), page);
  });

  handle(app, routes.listOwnMergeRequests, async (request, reply) => {
    const page = await listOwnRequests(options, principalOf(request), request.query);
    return asPage(request, reply, publicUrl(), page);
  });

  handle(app, routes.readMergeRequest, async (request) => requestView(await read(request), publicUrl()));

  handle(app, routes.changeMergeRequest, (request) => {
    const changing = { db, publicUrl: publicUrl(), cause: causeOf(request) };
    return changeRequest(changing, principalOf(request), whichOf(request), request.body);
  });

  handle(app, routes.listMergeRequestVersions, async (request) => ({
    data: await listVersions(options, principalOf(request), whichOf(request), causeOf(request)),
  }));

  handle(app, routes.readMergeRequestDiff, async (request, reply) => {
    const asked = { row: await read(request), query: request.query, userId: principalOf(request).userId };
    const sides = await sidesOf(db, findMergeBase, asked);
    const diff = await heavy(request, reply, (reads) => describeDiff(reads, asked, sides));
    // Diffs are long, and the compiled serializer would escape them character by character without a pause.
    const text = await jsonInSlices(diff, 'files');
    reply.type('application/json; charset=utf-8').serializer(() => text);
    return diff;
  });
}
