import type { OauthApp } from '@bottega/contract';
import { queryOptions } from '@tanstack/react-query';
import { api, type List } from '../api/client.ts';

export const oauthAppsQuery = queryOptions({
  queryKey: ['oauth-apps'],
  queryFn: async ({ signal }) => (await api.get<List<OauthApp>>('/user/oauth-apps', { signal })).data,
});

export const oauthAppQuery = (id: string) =>
  queryOptions({
    queryKey: ['oauth-apps', id],
    queryFn: ({ signal }) => api.get<OauthApp>(`/user/oauth-apps/${encodeURIComponent(id)}`, { signal }),
  });
