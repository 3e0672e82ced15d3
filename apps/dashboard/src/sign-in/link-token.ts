import { useEffect, useState } from 'react';

/** From `#token=` of a mailed link; then taken out of the address, so that neither history nor a screenshot keeps it. */
export function useLinkToken(): string | null {
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token'));
  useEffect(() => {
    if (token) window.history.replaceState(window.history.state, '', window.location.pathname);
  }, [token]);
  return token;
}
