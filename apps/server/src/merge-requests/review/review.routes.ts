import { routes } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import { type App, causeOf, createOnce, handle, type Once, principalOf } from '../../foundation/http/index.ts';
import type { FileWrites } from '../../repository/store/index.ts';
import { type FindMergeBase, type Reading, readableRequest, versionWithBase, whichOf } from '../requests/index.ts';
import { applySuggestions } from './apply.service.ts';
import { type Around, mustBeCommenter } from './commenting.ts';
import { changeComment, deleteComment } from './comments.service.ts';
import { originOf } from './origins.service.ts';
import type { FindVersion } from './places.service.ts';
import { listReviews, prepareReview, submitReview } from './reviews.service.ts';
import { createThread, listThreads, reply, resolveThread } from './threads.service.ts';
import { listViewed, markViewed } from './viewed.service.ts';

type Options = Reading & { once: Once; findMergeBase: FindMergeBase; writing: Omit<FileWrites, 'db' | 'publicUrl'> };
type OfRequest = FastifyRequest & { params: { project_id: string; number: string } };

export function reviewRoutes(app: App, options: Options): void {
  const { db, once, publicUrl } = options;
  const around = (request: FastifyRequest): Around => ({ publicUrl: publicUrl(), cause: causeOf(request) });

  /** The request, its reader, and its versions with their merge bases. */
  async function read(request: OfRequest) {
    const principal = principalOf(request);
    const row = await readableRequest(options, principal, whichOf(request), causeOf(request));
    const asked = { row, userId: principal.userId };
    const findVersion: FindVersion = (version) => versionWithBase(db, options.findMergeBase, asked, version);
    return { principal, row, findVersion };
  }

  handle(app, routes.listReviewThreads, async (request) => {
    const { principal, row, findVersion } = await read(request);
    return { data: await listThreads(db, principal, row, findVersion), head_sha: row.head_sha.toString('hex') };
  });

  handle(app, routes.createReviewThread, async (request, reply) => {
    const { principal, row, findVersion } = await read(request);
    await mustBeCommenter(db, principal, row);
    const origin = await originOf(db, row, findVersion, request.body);
    const made = { input: request.body, origin };
    return createOnce(once, request, reply, (trx) => createThread(trx, principal, row, made, around(request)));
  });

  handle(app, routes.changeReviewThread, async (request) => {
    const { principal, row } = await read(request);
    const asked = { threadId: request.params.thread_id, input: request.body };
    return resolveThread(db, principal, row, asked, around(request));
  });

  handle(app, routes.createReviewReply, async (request, answer) => {
    const { principal, row } = await read(request);
    const asked = { threadId: request.params.thread_id, input: request.body };
    return createOnce(once, request, answer, (trx) => reply(trx, principal, row, asked, around(request)));
  });

  handle(app, routes.changeReviewComment, async (request) => {
    const { principal, row } = await read(request);
    const asked = { commentId: request.params.review_comment_id, body: request.body.body };
    return changeComment(db, principal, row, asked, around(request));
  });

  handle(app, routes.deleteReviewComment, async (request, reply) => {
    const { principal, row } = await read(request);
    await deleteComment(db, principal, row, { commentId: request.params.review_comment_id }, around(request));
    return reply.code(204).send(null);
  });

  handle(app, routes.listReviews, async (request) => {
    const { row, findVersion } = await read(request);
    return { data: await listReviews(db, row, findVersion) };
  });

  handle(app, routes.submitReview, async (request, reply) => {
    const { principal, row, findVersion } = await read(request);
    await mustBeCommenter(db, principal, row);
    const prepared = await prepareReview(db, principal, row, request.body, findVersion);
    return createOnce(once, request, reply, (trx) => submitReview(trx, principal, row, prepared, around(request)));
  });

  handle(app, routes.applySuggestions, async (request, reply) => {
    const { principal, row, findVersion } = await read(request);
    const asked = { row, input: request.body, findVersion, cause: causeOf(request) };
    const commit = await applySuggestions({ ...options.writing, db, publicUrl }, principal, asked);
    return reply.code(201).send(commit);
  });

  handle(app, routes.listViewedFiles, async (request) => {
    const { principal, row, findVersion } = await read(request);
    return listViewed(db, principal, row, findVersion);
  });

  handle(app, routes.markViewedFiles, async (request) => {
    const { principal, row, findVersion } = await read(request);
    return markViewed(db, principal, row, request.body, findVersion);
  });
}
