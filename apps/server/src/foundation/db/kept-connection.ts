import type pg from 'pg';
import { streamOf } from './client-stream.ts';

export type KeptConnection = {
  /** Null while it is away. */
  client(): pg.Client | null;
  /** It is no longer of use: made anew. */
  giveUp(client: pg.Client): void;
  close(): Promise<void>;
};

type Options = {
  create(): pg.Client;
  /** What has to be done on a new connection before it counts as there. */
  prepare(client: pg.Client): Promise<unknown>;
  /** It is there, for the first time or again. */
  onReady?(): void;
  retryMs?: number;
};

/** One connection of its own, for as long as the node runs: made anew whenever it is lost. */
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
    // Not its end, which would wait for a server that may not answer.
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
