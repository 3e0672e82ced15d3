import type { CurrentSession } from '@bottega/contract';
import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { ApiError, call, keepCsrfToken, nullAt } from './client.ts';

export const sessionKey = ['session'] as const;

/** Null if nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ signal }): Promise<CurrentSession | null> => {
    const session = await call('GET /auth/session', { signal }).catch(nullAt(401));
    keepCsrfToken(session);
    return session;
  },
  staleTime: 60_000,
});

export const authOptionsQuery = queryOptions({
  queryKey: ['auth-options'],
  queryFn: ({ signal }) => call('GET /auth/options', { signal }),
  staleTime: 300_000,
});

export const useSession = (): CurrentSession | null => useQuery(sessionQuery).data ?? null;

/** For screens behind the sign-in, where the route guarantees a session. */
export function useSignedIn(): CurrentSession {
  const { data } = useSuspenseQuery(sessionQuery);
  if (!data)
    throw new ApiError('You are not signed in', { status: 401, code: 'AUTHENTICATION_ERROR', requestId: null });
  return data;
}
