import pg from 'pg';
import { keepConnected } from './kept-connection.ts';
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
 * One connection that listens. While it is away `isListening` is false, so that whoever relies on hearing of changes can
 * stop relying on it.
 */
export function listen({ connection, channel, onChange, retryMs = 500 }: Options): Listener {
  const kept = keepConnected({
    create() {
      const client = new pg.Client({ ...connection, application_name: listenerName, keepAlive: true });
      return client.on('notification', ({ payload }) => onChange(payload || undefined));
    },
    prepare: (client) => client.query(`listen ${pg.escapeIdentifier(channel)}`),
    onReady: () => onChange(),
    retryMs,
  });
  return { isListening: () => kept.client() !== null, close: kept.close };
}
