import type { preParsingHookHandler } from 'fastify';
import type { Slots } from '../../concurrency/slots.ts';

/** Smaller bodies cost little compared to the rest of a request. */
const small = 1024 * 1024;

/**
 * Before it is stored, a body takes several times its size: as bytes, as text, decoded, compressed. So only a few large
 * bodies are in the process at a time, and accounts take turns. The others wait in their connections, unread.
 */
export function oneOfFewLargeBodies(slots: Slots): preParsingHookHandler {
  return (request, reply, payload, done) => {
    if (Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) <= small) return done(null, payload);
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
