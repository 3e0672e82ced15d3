import type { CreateComment, Permission, ProjectComment, SessionComment, UpdateComment } from '@bottega/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import type { Place } from '../api/project.ts';
import { commentsQuery } from './live-api.ts';
import type { Live } from './use-live.ts';

export type Remark = SessionComment | ProjectComment;
export type RemarkChange = UpdateComment | 'apply' | 'delete';

/** How comments are read and written: in a session, or in a project without a session. */
export type CommentBook = {
  /** The query to reload after a change. */
  queryKey: readonly unknown[];
  /** The project whose people can be mentioned. Null for guests, who do not see them. */
  projectId: string | null;
  userId: string | undefined;
  may: { comment: boolean; apply: boolean; deleteAll: boolean };
  create(body: CreateComment, key: { headers: Record<string, string> }): Promise<unknown>;
  change(commentId: string, change: RemarkChange): Promise<unknown>;
};

export function sessionBook(live: Live, projectId: string | null): CommentBook {
  const params = { session_id: live.id };
  const one = 'collaboration/sessions/{session_id}/comments/{comment_id}';
  return {
    queryKey: commentsQuery(live.id).queryKey,
    projectId,
    userId: live.me?.user_id,
    may: { comment: true, apply: live.canWrite, deleteAll: live.me?.permissions.admin ?? false },
    create: (body, key) => call('POST /collaboration/sessions/{session_id}/comments', { params, body, ...key }),
    change(commentId, change) {
      const at = { params: { ...params, comment_id: commentId } };
      if (change === 'delete') return call(`DELETE /${one}`, at);
      return change === 'apply' ? call(`POST /${one}/apply`, at) : call(`PATCH /${one}`, { ...at, body: change });
    },
  };
}

const projectCommentsKey = (projectId: string) => ['projects', projectId, 'comments'];
const maxRead = 100;

/** All comments of one file. Nobody reads more than a hundred next to it. */
export const fileCommentsQuery = ({ projectId, ...on }: Place, path: string) =>
  queryOptions({
    queryKey: [...projectCommentsKey(projectId), { path, ...on }],
    queryFn: async ({ signal }) => {
      const asked = { params: { project_id: projectId }, query: { path, limit: maxRead, ...on }, signal };
      return (await call('GET /projects/{project_id}/comments', asked)).data;
    },
    refetchInterval: 30_000,
  });

/** The open comments of all files of the branch, without replies. */
export const openCommentsQuery = ({ projectId, ...on }: Place) =>
  queryOptions({
    queryKey: [...projectCommentsKey(projectId), 'open', on],
    queryFn: async ({ signal }) => {
      const asked = { params: { project_id: projectId }, query: { resolved: false, limit: maxRead, ...on }, signal };
      const { data } = await call('GET /projects/{project_id}/comments', asked);
      return data.filter(({ parent_id: parent }) => parent === null);
    },
  });

type Held = { userId: string; rights: Record<Permission, boolean> };

/** Comments of a project. A suggestion can be applied only in a session, because its text must be open. */
export function projectBook({ projectId, ...on }: Place, { userId, rights }: Held): CommentBook {
  const params = { project_id: projectId };
  const one = 'projects/{project_id}/comments/{comment_id}';
  return {
    queryKey: projectCommentsKey(projectId),
    projectId,
    userId,
    may: { comment: rights.comment, apply: false, deleteAll: rights.manage },
    create: (body, key) => call('POST /projects/{project_id}/comments', { params, body: { ...body, ...on }, ...key }),
    change(commentId, change) {
      const at = { params: { ...params, comment_id: commentId } };
      if (change === 'delete') return call(`DELETE /${one}`, at);
      return change === 'apply' ? Promise.resolve() : call(`PATCH /${one}`, { ...at, body: change });
    },
  };
}
