import { type Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../foundation/http/index.ts';

/** The body as git meant it: its client compresses long lists of what it has. */
export function readableBody(raw: Readable, encoding: string | undefined): Readable {
  if (encoding === undefined || encoding === 'identity') return raw;
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new AppError('VALIDATION_ERROR', 'The content encoding must be gzip or none', { status: 415 });
  }
  const gunzip = createGunzip();
  raw.on('error', (error) => gunzip.destroy(error));
  return raw.pipe(gunzip);
}

/** A few kilobytes of gzip can hold gigabytes. */
export function atMost(bytes: number, body: Readable): Readable {
  let seen = 0;
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      if (seen <= bytes) return done(null, chunk);
      return done(new AppError('VALIDATION_ERROR', 'The body is too large', { status: 413 }));
    },
  });
  body.on('error', (error) => limited.destroy(error));
  return body.pipe(limited);
}

/** A kilobyte a second, on average: the slowest line that anybody pushes over is faster. */
const slowest = { bytes: 60_000, withinMs: 60_000 };

/**
 * A client that has begun a body goes on with it: what it sends within each minute is worth waiting for, or the body
 * ends. Time in which nobody here asks for more is not its fault.
 */
export async function* keepsComing(body: Readable, { bytes, withinMs } = slowest): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  let missing = bytes;
  let leftMs = withinMs;
  for (;;) {
    const timer = setTimeout(() => body.destroy(tooSlow()), leftMs);
    const asked = performance.now();
    const { done, value } = await chunks.next().finally(() => clearTimeout(timer));
    if (done) return;
    leftMs -= performance.now() - asked;
    missing -= value.length;
    if (missing <= 0) {
      missing = bytes;
      leftMs = withinMs;
    }
    yield value;
  }
}

const tooSlow = () => new AppError('VALIDATION_ERROR', 'The request took too long to arrive', { status: 408 });
