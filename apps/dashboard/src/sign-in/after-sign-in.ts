import type { CurrentSession } from '@bottega/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { keepCsrfToken } from '../api/client.ts';
import { sessionKey } from '../api/session.ts';

/** The target of a link that required a sign-in first. Only paths of this dashboard are allowed. */
export const ownPlace = (next: unknown): string | undefined =>
  typeof next === 'string' && /^\/(?![/\\])/.test(next) ? next : undefined;

export function useAfterSignIn(next: string | undefined, otherwise = '/'): (session: CurrentSession) => void {
  const client = useQueryClient();
  const router = useRouter();
  return (session) => {
    client.clear();
    keepCsrfToken(session);
    client.setQueryData(sessionKey, session);
    router.history.push(next ?? otherwise);
  };
}
