import pg from 'pg';
import { keepConnected } from './kept-connection.ts';
import type { ConnectionOptions } from './pool.ts';

export type Listener = { isListening(): boolean; close(): Promise<void> };

/** The application name of the listening connection in the database. */
export const listenerName = 'bottega listener';

type Options = {
  connection: ConnectionOptions;
  channel: string | readonly string[];
  /**
   * Called when a notification arrives. Without `about`, the notification concerns the whole channel. Without
   * `channel`, notifications of any channel may have been missed.
   */
  onChange: (about?: string, channel?: string) => void;
  retryMs?: number;
  /** Interval of the pings. The connection is closed if no answer comes within the same time. */
  pingMs?: number;
};

/**
 * Opens one connection that listens to channels. While the connection is lost, `isListening` is false, so that code
 * does not rely on notifications. The connection is pinged, because one that hangs looks like one without
 * notifications.
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
