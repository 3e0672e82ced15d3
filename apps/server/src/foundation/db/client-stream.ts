import type pg from 'pg';

export type ClientStream = { cork(): void; uncork(): void; destroy(): void };

/** The socket of a connection. node-postgres does not expose it. */
export const streamOf = (client: pg.ClientBase): ClientStream =>
  (client as unknown as { connection: { stream: ClientStream } }).connection.stream;
