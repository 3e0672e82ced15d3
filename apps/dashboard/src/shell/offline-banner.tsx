import { Alert } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../api/client.ts';
import { useWords } from '../words/words.tsx';
import { shellWords } from './shell.words.ts';

const lookEvery = 3000;

/** Shown from the first request without an answer until the service answers again. Then everything is reloaded. */
export function OfflineBanner() {
  const words = useWords(shellWords);
  const client = useQueryClient();
  const [isAway, setAway] = useState(false);

  useEffect(() => {
    const away = () => setAway(true);
    window.addEventListener('offline', away);
    const stop = client.getQueryCache().subscribe(({ query }) => {
      const reason = query.state.fetchFailureReason ?? query.state.error;
      if (reason instanceof ApiError && reason.status === 0) setAway(true);
    });
    return () => {
      window.removeEventListener('offline', away);
      stop();
    };
  }, [client]);

  useEffect(() => {
    if (!isAway) return;
    const timer = setInterval(async () => {
      const isBack = await fetch('/readyz').then(
        ({ ok }) => ok,
        () => false,
      );
      if (!isBack) return;
      setAway(false);
      client.invalidateQueries();
    }, lookEvery);
    return () => clearInterval(timer);
  }, [isAway, client]);

  if (!isAway) return null;
  return (
    <Alert role="status" color="yellow.4" variant="filled" radius={0} py={8} className="offline-banner">
      {words.offline}
    </Alert>
  );
}
