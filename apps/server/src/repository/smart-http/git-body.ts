import { type Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../foundation/http/index.ts';

/** Decompresses the body, because git's client compresses long lists of its commits. */
export function readableBody(raw: Readable, encoding: string | undefined): Readable {
  if (encoding === undefined || encoding === 'identity') return raw;
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new AppError('VALIDATION_ERROR', 'The content encoding must be gzip or none', { status: 415 });
  }
  const gunzip = createGunzip();
  raw.on('error', (error) => gunzip.destroy(error));
  return raw.pipe(gunzip);
}

/** Limits the size, because a few kilobytes of gzip can contain gigabytes. */
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

/** The minimum number of bytes within this time. */
export type Pace = {
  bytes: number;
  withinMs: number;
  /** Whether the pace is required now. If it is absent, it is always required. */
  isDemanded?: () => boolean;
};

/**
 * The slowest accepted pace: on average a kilobyte per second. The slowest line over which anybody pushes is faster.
 */
export const slowest: Pace = { bytes: 60_000, withinMs: 60_000 };

/** Half a megabit a second while others wait for a slow client's slot. */
export const whereOthersWait = (isDemanded: () => boolean): Pace => ({
  ...{ bytes: 4 * 1024 * 1024, withinMs: 60_000 },
  isDemanded,
});

/** Ends the body of a client that sends too little within a minute. Time in which we do not read does not count. */
export async function* keepsComing(body: Readable, ...paces: Pace[]): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  const clocks = (paces.length > 0 ? paces : [slowest]).map(clockOf);
  for (;;) {
    for (const clock of clocks) clock.start(() => body.destroy(tooSlow()));
    const { done, value } = await chunks.next().finally(() => {
      for (const clock of clocks) clock.stop();
    });
    if (done) return;
    for (const clock of clocks) clock.count(value.length);
    yield value;
  }
}

/** A timer that runs while we wait for the client, and restarts with every portion that arrives in time. */
function clockOf({ bytes, withinMs, isDemanded = () => true }: Pace) {
  let [missing, leftMs, startedAt] = [bytes, withinMs, 0];
  let timer: NodeJS.Timeout | undefined;
  const again = () => {
    [missing, leftMs] = [bytes, withinMs];
  };
  function start(end: () => void): void {
    startedAt = performance.now();
    timer = setTimeout(
      () => {
        if (isDemanded()) return end();
        again();
        start(end);
      },
      Math.max(1, leftMs),
    );
  }
  return {
    start,
    stop(): void {
      clearTimeout(timer);
      leftMs -= performance.now() - startedAt;
    },
    count(came: number): void {
      missing -= came;
      if (missing <= 0) again();
    },
  };
}

const tooSlow = () => new AppError('VALIDATION_ERROR', 'The request took too long to arrive', { status: 408 });
