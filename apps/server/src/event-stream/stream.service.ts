import type { FastifyRequest } from 'fastify';
import type { Db } from '../foundation/db/index.ts';
import type { Principal } from '../foundation/http/index.ts';
import type { Position } from './cursor.ts';
import { follow } from './follow.ts';
import type { StreamMetrics } from './metrics.ts';
import type { OpenStreams } from './open-streams.ts';
import { mustBeContinued } from './position.ts';
import type { Reader } from './reader.ts';
import type { Wanted } from './wanted.ts';
import { readNow } from './windows.sql.ts';

export type Streams = { db: Db; reader: Reader; open: OpenStreams; metrics: StreamMetrics };

type Asked = { request: FastifyRequest; principal: Principal; wanted: Wanted; start: Position | null };

/**
 * Opens a stream, after all checks, so that a refusal is still an ordinary response. The caller must read or close the
 * returned stream.
 */
export async function openStream({ db, reader, open, metrics }: Streams, { request, principal, wanted, start }: Asked) {
  if (start) mustBeContinued(start, await readNow(db));
  const admitted = open.admit(request, principal);
  const listener = { wanted, end: admitted.end };
  const close = () => {
    reader.leave(listener);
    admitted.close();
  };
  try {
    await admitted.check();
    admitted.signal.addEventListener('abort', () => reader.leave(listener), { once: true });
    const now = await reader.join(listener);
    const since = Date.now();
    const onSent = (event: { created_at: Date }) => metrics.sent(event, since);
    return { close, texts: follow({ db, reader, listener, signal: admitted.signal, onSent }, start ?? now) };
  } catch (error) {
    close();
    throw error;
  }
}
