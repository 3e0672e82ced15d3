import { useEffect, useState } from 'react';

/**
 * The token from `#token=` of a mailed link. It is removed from the URL, so that it is neither in the history nor in a
 * screenshot.
 */
export function useLinkToken(): string | null {
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token'));
  useEffect(() => {
    if (token) window.history.replaceState(window.history.state, '', window.location.pathname);
  }, [token]);
  return token;
}
