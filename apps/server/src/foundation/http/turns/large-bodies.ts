import type { preParsingHookHandler } from 'fastify';
import type { Slots } from '../../concurrency/slots.ts';
import { hasGone } from './heavy-reads.ts';

/** Smaller bodies cost little compared to the rest of a request. */
const small = 1024 * 1024;

/**
 * Limits how many large bodies are in memory at a time. Before a body is stored, it takes several times its size: as
 * bytes, as text, decoded, compressed. Accounts take turns. The other bodies wait in their connections, unread.
 */
export function oneOfFewLargeBodies(slots: Slots): preParsingHookHandler {
  return (request, reply, payload, done) => {
    if (Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) <= small) return done(null, payload);
    // If the client has already disconnected, `close` is not emitted again, and the turn would never end.
    if (reply.raw.destroyed) return done(hasGone());
    const over = new AbortController();
    const answered = new Promise<void>((resolve) => {
      reply.raw.once('close', () => {
        over.abort();
        resolve();
      });
    });
    const read = (): Promise<void> => {
      done(null, payload);
      return answered;
    };
    slots.run(request.principal?.userId ?? request.ip, read, over.signal).catch(done);
  };
}
