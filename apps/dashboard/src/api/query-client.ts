import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './client.ts';
import { sessionKey } from './session.ts';

/** A retry helps if there was no answer, or the service says that it is unavailable for a moment. */
export const isWorthAnotherTry = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 503);

export function newQueryClient(): QueryClient {
  // Any 401 means that the session has ended: reloading it leads to the sign-in screen.
  const onError = (error: unknown) => {
    if (error instanceof ApiError && error.status === 401) client.invalidateQueries({ queryKey: sessionKey });
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache(),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 3 && isWorthAnotherTry(error),
        // Depends on whether the service answers, not on whether the browser thinks it is online.
        networkMode: 'always',
        staleTime: 10_000,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return client;
}
