import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './client.ts';
import { sessionKey } from './session.ts';

/** A retry helps only if there was no answer, or if the service says that it is briefly unavailable. */
export const isWorthAnotherTry = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 503);

export function newQueryClient(): QueryClient {
  // Any 401 means that the session has ended. Reloading the session then leads to the sign-in screen.
  const onError = (error: unknown) => {
    if (error instanceof ApiError && error.status === 401) client.invalidateQueries({ queryKey: sessionKey });
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache(),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 3 && isWorthAnotherTry(error),
        // What counts is whether the service answers, not whether the browser thinks that it is online.
        networkMode: 'always',
        staleTime: 10_000,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return client;
}
