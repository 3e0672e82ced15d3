import pg from 'pg';
import { keepConnected } from './kept-connection.ts';
import type { ConnectionOptions } from './pool.ts';

export type Listener = { isListening(): boolean; close(): Promise<void> };

/** By which a node's connection that listens is known to the database. */
export const listenerName = 'bottega listener';

type Options = {
  connection: ConnectionOptions;
  channel: string | readonly string[];
  /** A notification arrived, with what it is about; without: anything of that channel. Without a channel, any may have been missed. */
  onChange: (about?: string, channel?: string) => void;
  retryMs?: number;
  /** It is asked for a sign of life this often, and given up where none comes for as long. */
  pingMs?: number;
};

/**
 * One connection that listens. While it is away `isListening` is false, so that whoever relies on hearing of changes can
 * stop relying on it. One that hangs looks like one on which nothing happens, and so is asked whether it is still there.
 */
export function listen({ connection, channel, onChange, retryMs = 500, pingMs = 2_000 }: Options): Listener {
  const limits = { connectionTimeoutMillis: 5_000, query_timeout: pingMs };
  const kept = keepConnected({
    create() {
      const client = new pg.Client({ ...connection, ...limits, application_name: listenerName, keepAlive: true });
      return client.on('notification', ({ payload, channel: from }) => onChange(payload || undefined, from));
    },
    prepare: (client) =>
      client.query(
        [channel]
          .flat()
          .map((one) => `listen ${pg.escapeIdentifier(one)}`)
          .join('; '),
      ),
    onReady: () => onChange(),
    retryMs,
  });
  const pinging = setInterval(() => {
    const client = kept.client();
    client?.query('select').catch(() => kept.giveUp(client));
  }, pingMs).unref();
  return {
    isListening: () => kept.client() !== null,
    close() {
      clearInterval(pinging);
      return kept.close();
    },
  };
}
