import type { Participant, Session, SessionComment } from '@bottega/contract';
import { queryOptions } from '@tanstack/react-query';
import { ApiError, api } from '../api/client.ts';
import type { OverReason } from './live-session.ts';

const base = '/collaboration/sessions';
export const sessionAddress = (id: string): string => `${base}/${encodeURIComponent(id)}`;

export const openSessionsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['live', 'of', projectId],
    queryFn: async ({ signal }) =>
      (await api.get<{ sessions: Session[] }>(base, { query: { workspace_id: projectId, limit: 100 }, signal }))
        .sessions,
  });

export const liveSessionQuery = (id: string) =>
  queryOptions({
    queryKey: ['live', id],
    queryFn: ({ signal }) => api.get<Session>(sessionAddress(id), { signal }),
  });

export const participantsQuery = (id: string) =>
  queryOptions({
    queryKey: ['live', id, 'participants'],
    queryFn: async ({ signal }) =>
      (await api.get<{ participants: Participant[] }>(`${sessionAddress(id)}/participants`, { signal })).participants,
  });

export const commentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['live', id, 'comments'],
    queryFn: async ({ signal }) =>
      (await api.get<{ comments: SessionComment[] }>(`${sessionAddress(id)}/comments`, { signal })).comments,
  });

/** One that is over is left already. */
export const leaveSession = (id: string): Promise<void> =>
  api.post(`${sessionAddress(id)}/leave`).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  });

/** What the refusal of a socket meant; null where it may be tried again. */
export async function whyRefused(id: string): Promise<OverReason | null> {
  try {
    await api.get<Session>(sessionAddress(id));
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) return null;
    if (error.status === 401) return 'signedOut';
    return error.status === 404 || error.status === 403 ? 'ended' : null;
  }
}
