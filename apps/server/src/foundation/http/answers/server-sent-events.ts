import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Longest time without a message. After that, a client or proxy may consider the connection dead. */
export const longestSilenceMs = 15_000;
/**
 * If a client reads nothing for this long, the stream is closed. The client has disconnected or does not want the
 * stream.
 */
const longestStallMs = 60_000;
const retryMs = 1_000;

export const asksForEvents = ({ headers }: FastifyRequest): boolean =>
  /\btext\/event-stream\b/.test(headers.accept ?? '');

/** Returns the id of the last event that a reconnecting client received. Undefined for a first connection. */
export function lastEventIdOf({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** `data` must be one line, as JSON is. Without `data`, the client only remembers the id. */
export function eventText({ id, event, data }: { id?: string | number; event?: string; data?: string }): string {
  const lines = [
    id === undefined ? '' : `id: ${id}\n`,
    event === undefined ? '' : `event: ${event}\n`,
    data === undefined ? '' : `data: ${data}\n`,
  ];
  return `${lines.join('')}\n`;
}

export const stillHere = ': still here\n';

/**
 * Answers with server-sent events. The source yields their text piece by piece, as fast as the client reads. A source
 * that waits for something must stop waiting once the connection is closed.
 */
export function sendEvents(reply: FastifyReply, texts: AsyncIterable<string>, onClosed: () => void): FastifyReply {
  if (reply.raw.destroyed) onClosed();
  else reply.raw.once('close', onClosed);
  const stream = Readable.from(paced(texts, () => stream.destroy(new Error('the client does not read its events'))));
  return reply
    .type('text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    .send(stream);
}

async function* paced(source: AsyncIterable<string>, onStall: () => void): AsyncGenerator<string> {
  yield `retry: ${retryMs}\n\n`;
  for await (const text of source) {
    const stalling = setTimeout(onStall, longestStallMs);
    try {
      yield text;
    } finally {
      clearTimeout(stalling);
    }
  }
}
