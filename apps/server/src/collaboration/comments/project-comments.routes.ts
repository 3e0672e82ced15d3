import { routes } from '@bottega/contract';
import type { FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import type { Db } from '../../foundation/db/index.ts';
import {
  type App,
  asPage,
  causeOf,
  createOnce,
  handle,
  type Once,
  type Principal,
  principalOf,
} from '../../foundation/http/index.ts';
import { mustBeActive, mustHave, permissionsOf } from '../../projects/access/index.ts';
import { readableProject } from '../../projects/index.ts';
import { mainBranch } from '../../repository/objects/ref-names.ts';
import {
  branchOfComment,
  type CommentAccess,
  type Comments,
  changeComment,
  commentChecks,
  createComment,
  type Found,
  findParent,
  listThreads,
  prepareComment,
  readComment,
  removeComment,
} from './comments.service.ts';
import { asProjectComment } from './comments.view.ts';

type Options = Once & {
  texts: Comments['texts'];
  publicUrl(): string;
  /** Forwards the request if another node has the texts. */
  atOwner: preHandlerAsyncHookHandler;
};

/** Comments on files outside sessions, by the user's rights in the project. */
export function projectCommentRoutes(app: App, { texts, publicUrl, atOwner: preHandler, ...once }: Options): void {
  const comments: Comments = { db: once.db, texts };
  const shown = ({ row, place }: Found) => asProjectComment(row, place, publicUrl());

  handle(app, routes.listProjectComments, { preHandler }, async (request, reply) => {
    const { branch } = request.query;
    const access = await mayRead(once.db, principalOf(request), request.params.project_id, branch);
    const { data, total } = await listThreads(comments, access, request.query);
    return asPage(request, reply, publicUrl(), { data: data.map(shown), total });
  });

  const checks = (request: FastifyRequest) =>
    commentChecks(async (id) => {
      const { project_id: projectId } = request.params as { project_id: string };
      await findParent(once.db, await mayComment(once.db, principalOf(request), projectId), id);
    });
  handle(app, routes.createProjectComment, { preHandler, checks }, async (request, reply) => {
    const outside = await mayComment(once.db, principalOf(request), request.params.project_id);
    const access = { ...outside, branch: await branchOfComment(once.db, outside, request.body) };
    const prepared = await prepareComment(comments, access, request.body);
    return createOnce(once, request, reply, async (trx) =>
      shown(await createComment(trx, comments, access, prepared, causeOf(request))),
    );
  });

  handle(app, routes.readProjectComment, { preHandler }, async (request) => {
    const access = await mayRead(once.db, principalOf(request), request.params.project_id);
    return shown(await readComment(comments, access, request.params.comment_id));
  });

  handle(app, routes.changeProjectComment, { preHandler }, async (request) => {
    const access = await mayComment(once.db, principalOf(request), request.params.project_id);
    const change = { ...request.body, cause: causeOf(request) };
    return shown(await changeComment(comments, access, request.params.comment_id, change));
  });

  handle(app, routes.removeProjectComment, { preHandler }, async (request) => {
    const { project, access } = await commenterIn(once.db, principalOf(request), request.params.project_id);
    await removeComment(comments, access, request.params.comment_id, {
      cause: causeOf(request),
      mayChange: () => mustBeActive(project),
    });
  });
}

const mayRead = async (
  db: Db,
  { userId }: Principal,
  projectId: string,
  branch = mainBranch,
): Promise<CommentAccess> => ({ ...accessTo(await readableProject(db, projectId, userId), userId), branch });

type Project = Awaited<ReturnType<typeof readableProject>>;

function accessTo(project: Project, userId: string): CommentAccess {
  const held = permissionsOf(project, userId);
  const may: CommentAccess['may'] = (right) => held.includes(right === 'admin' ? 'manage' : right);
  return { sessionId: null, projectId: project.id, branch: mainBranch, userId, may };
}

async function commenterIn(db: Db, { userId }: Principal, projectId: string) {
  const project = await readableProject(db, projectId, userId);
  mustHave(project, userId, 'comment');
  return { project, access: accessTo(project, userId) };
}

async function mayComment(db: Db, principal: Principal, projectId: string): Promise<CommentAccess> {
  const { project, access } = await commenterIn(db, principal, projectId);
  mustBeActive(project);
  return access;
}
