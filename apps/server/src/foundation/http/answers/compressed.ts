import { gzip } from 'node:zlib';
import type { App } from '../request/typed-app.ts';
import { acceptsEncoding } from './accepted-encoding.ts';

/** Shortest text that is compressed. A shorter one is sent about as fast as it is compressed. */
const leastLength = 32_768;
/** A higher level makes the text little shorter and takes several times as long. */
const level = 3;

/** Compresses long JSON answers, such as lists of files and diffs, for clients that accept compression. */
export function compressLongAnswers(app: App): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isLong = typeof payload === 'string' && payload.length >= leastLength;
    if (!isLong || request.method !== 'GET') return done(null, payload);
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json');
    if (!isJson || !acceptsEncoding(request.headers['accept-encoding'], 'gzip')) return done(null, payload);
    gzip(payload, { level }, (error, compressed) => {
      if (error) return done(null, payload);
      const vary = [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', ');
      reply.removeHeader('content-length').headers({ 'content-encoding': 'gzip', vary });
      done(null, compressed);
    });
  });
}
