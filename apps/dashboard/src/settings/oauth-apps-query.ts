import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

export const oauthAppsQuery = queryOptions({
  queryKey: ['oauth-apps'],
  queryFn: async ({ signal }) => (await call('GET /user/oauth-apps', { signal })).data,
});

export const oauthAppQuery = (id: string) =>
  queryOptions({
    queryKey: ['oauth-apps', id],
    queryFn: ({ signal }) => call('GET /user/oauth-apps/{app_id}', { params: { app_id: id }, signal }),
  });
