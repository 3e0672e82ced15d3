import pg from 'pg';
import type { ConnectionOptions } from './pool.ts';

export type Listener = { isListening(): boolean; close(): Promise<void> };

/** By which a node's connection that listens is known to the database. */
export const listenerName = 'bottega listener';

type Options = {
  connection: ConnectionOptions;
  channel: string;
  /** A notification arrived, with what it is about; without: anything may have changed, or have been missed. */
  onChange: (about?: string) => void;
  retryMs?: number;
};

/**
 * One connection of its own that listens, for as long as the node runs. While it is away `isListening` is false, so
 * that whoever relies on hearing of changes can stop relying on it.
 */
export function listen({ connection, channel, onChange, retryMs = 500 }: Options): Listener {
  let client: pg.Client | null = null;
  let listening = false;
  let closed = false;
  let retry: NodeJS.Timeout | null = null;

  async function connect(): Promise<void> {
    const next = new pg.Client({ ...connection, application_name: listenerName, keepAlive: true });
    next.on('notification', ({ payload }) => onChange(payload || undefined));
    next.on('error', () => lose(next));
    next.on('end', () => lose(next));
    client = next;
    try {
      await next.connect();
      await next.query(`listen ${pg.escapeIdentifier(channel)}`);
      if (closed) return;
      listening = true;
      onChange();
    } catch {
      lose(next);
    }
  }

  function lose(lost: pg.Client): void {
    if (client !== lost) return;
    client = null;
    listening = false;
    lost.end().catch(() => undefined);
    if (!closed) retry = setTimeout(connect, retryMs);
  }

  void connect();
  return {
    isListening: () => listening,
    async close() {
      closed = true;
      listening = false;
      if (retry) clearTimeout(retry);
      const last = client;
      client = null;
      await last?.end().catch(() => undefined);
    },
  };
}
