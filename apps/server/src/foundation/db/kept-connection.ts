import type pg from 'pg';
import { streamOf } from './client-stream.ts';

export type KeptConnection = {
  /** Null while there is no connection. */
  client(): pg.Client | null;
  /** Closes a connection that is no longer usable, so that a new one is opened. */
  giveUp(client: pg.Client): void;
  close(): Promise<void>;
};

type Options = {
  create(): pg.Client;
  /** Prepares a new connection. The connection does not count as ready until this has finished. */
  prepare(client: pg.Client): Promise<unknown>;
  /** Called when the connection is ready, the first time and after each loss. */
  onReady?(): void;
  retryMs?: number;
};

/** One dedicated connection for as long as the node runs. Whenever it is lost, it is opened again. */
export function keepConnected({ create, prepare, onReady, retryMs = 500 }: Options): KeptConnection {
  let present: pg.Client | null = null;
  let isReady = false;
  let closed = false;
  let retry: NodeJS.Timeout | null = null;

  async function connect(): Promise<void> {
    const next = create();
    next.on('error', () => lose(next));
    next.on('end', () => lose(next));
    present = next;
    try {
      await next.connect();
      await prepare(next);
      if (present !== next) return;
      isReady = true;
      onReady?.();
    } catch {
      lose(next);
    }
  }

  function lose(lost: pg.Client): void {
    if (present !== lost) return;
    present = null;
    isReady = false;
    // `end` would wait for a server that may not answer.
    streamOf(lost).destroy();
    if (!closed) retry = setTimeout(connect, retryMs);
  }

  void connect();
  return {
    client: () => (isReady ? present : null),
    giveUp: lose,
    async close() {
      closed = true;
      isReady = false;
      if (retry) clearTimeout(retry);
      const last = present;
      present = null;
      await last?.end().catch(() => undefined);
    },
  };
}
