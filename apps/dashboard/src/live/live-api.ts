import { queryOptions } from '@tanstack/react-query';
import { ApiError, call, nullAt } from '../api/client.ts';
import type { OverReason } from './live-session.ts';

export const openSessionsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['live', 'of', projectId],
    queryFn: async ({ signal }) =>
      (await call('GET /collaboration/sessions', { query: { workspace_id: projectId, limit: 100 }, signal })).sessions,
  });

export const liveSessionQuery = (id: string) =>
  queryOptions({
    queryKey: ['live', id],
    queryFn: ({ signal }) => call('GET /collaboration/sessions/{session_id}', { params: { session_id: id }, signal }),
  });

export const participantsQuery = (id: string) =>
  queryOptions({
    queryKey: ['live', id, 'participants'],
    queryFn: async ({ signal }) =>
      (await call('GET /collaboration/sessions/{session_id}/participants', { params: { session_id: id }, signal }))
        .participants,
  });

/** All files that a guest can open. Members use the project's own list, which has more details. */
export const sessionFilesQuery = (id: string) =>
  queryOptions({
    queryKey: ['live', id, 'files'],
    queryFn: async ({ signal }) => {
      const wanted = { params: { session_id: id }, query: { recursive: true }, signal };
      const { files } = await call('GET /collaboration/sessions/{session_id}/files', wanted);
      return files.map((file) => ({ ...file, name: file.path.slice(file.path.lastIndexOf('/') + 1) }));
    },
  });

export const commentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['live', id, 'comments'],
    queryFn: async ({ signal }) =>
      (await call('GET /collaboration/sessions/{session_id}/comments', { params: { session_id: id }, signal }))
        .comments,
  });

/** Leaves a session. If the session has already ended, this counts as a success. */
export const leaveSession = (id: string) =>
  call('POST /collaboration/sessions/{session_id}/leave', { params: { session_id: id } }).catch(nullAt(404));

/** Why the service refused a socket. Null if the client may try again. */
export async function whyRefused(id: string): Promise<OverReason | null> {
  try {
    await call('GET /collaboration/sessions/{session_id}', { params: { session_id: id } });
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) return null;
    if (error.status === 401) return 'signedOut';
    return error.status === 404 || error.status === 403 ? 'ended' : null;
  }
}
