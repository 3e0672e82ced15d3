import { routes } from '@bottega/contract';
import { type App, causeOf, handle, principalOf } from '../../foundation/http/index.ts';
import { permissionsOf } from '../../projects/access/index.ts';
import { readableProject } from '../../projects/index.ts';
import { whenGone } from '../../repository/cache/index.ts';
import { requestChecks, startChecks } from '../checks/index.ts';
import { type Merging, mergeRequest, readinessNow } from '../merging/index.ts';
import { readableRequest, whichOf } from '../requests/index.ts';
import * as rows from '../state/index.ts';
import { enterQueue, leaveQueue, longestQueue } from './enter.service.ts';

export function mergingRoutes(app: App, merging: Merging): void {
  const { db, publicUrl } = merging;
  type OfRequest = Parameters<typeof principalOf>[0] & { params: { project_id: string; number: string } };
  const read = (request: OfRequest) =>
    readableRequest(merging, principalOf(request), whichOf(request), causeOf(request));

  handle(app, routes.mergeMergeRequest, async (request, reply) => {
    const { when_ready: whenReady, ...input } = request.body;
    const asked = { which: whichOf(request), input, cause: causeOf(request) };
    const row = whenReady
      ? await enterQueue(merging, principalOf(request), asked)
      : await mergeRequest(merging, principalOf(request), { ...asked, signal: whenGone(reply) });
    return rows.requestView(row, publicUrl());
  });

  handle(app, routes.readMergeReadiness, async (request) => {
    const { userId } = principalOf(request);
    const row = await read(request);
    const project = await readableProject(db, row.project_id, userId);
    const canMerge = permissionsOf(project, userId).includes('write') && project.status === 'active';
    return { ...(await readinessNow(db, row, await merging.review(row, userId))), can_merge: canMerge };
  });

  handle(app, routes.listMergeRequestChecks, async (request) => requestChecks(db, await read(request)));

  handle(app, routes.startMergeRequestChecks, async (request) => {
    const asked = { which: whichOf(request), head: request.body.head_sha, cause: causeOf(request) };
    return requestChecks(db, await startChecks(merging, principalOf(request), asked));
  });

  handle(app, routes.queueMergeRequest, async (request) => {
    const asked = { which: whichOf(request), input: request.body, cause: causeOf(request) };
    return rows.requestView(await enterQueue(merging, principalOf(request), asked), publicUrl());
  });

  handle(app, routes.leaveMergeQueue, async (request) => {
    const asked = { which: whichOf(request), cause: causeOf(request) };
    return rows.requestView(await leaveQueue(merging, principalOf(request), asked), publicUrl());
  });

  handle(app, routes.listMergeQueue, async (request) => {
    const { project_id: projectId } = request.params;
    await readableProject(db, projectId, principalOf(request).userId);
    const queued = await rows.listQueued(db, projectId, request.query.target, longestQueue);
    return { data: queued.map((row) => rows.requestView(row, publicUrl())) };
  });
}
