import { request as ask, createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from '../../../../apps/server/src/collaboration/texts/random.fixture.ts';

export type FaultyProxy = {
  url: string;
  /** Number of faults, by kind. */
  faults: Record<string, number>;
  close(): Promise<void>;
};

/** Faults that replace normal forwarding. */
const kinds = ['refuse', 'busy', 'away', 'lose request', 'lose answer', 'cut answer', 'late'] as const;

/**
 * A proxy between a client and the service. It forwards requests, loses them or their answers, or answers 429 and 503.
 */
export async function startFaultyProxy(target: string, random: Random, rate: number): Promise<FaultyProxy> {
  const faults: Record<string, number> = {};
  const server = createServer((asked, answer) => {
    const kind = random.chance(rate) ? random.pick(kinds) : null;
    if (kind) faults[kind] = (faults[kind] ?? 0) + 1;
    if (kind === 'lose request') return void asked.socket.destroy();
    if (kind === 'refuse') return busy(answer, 429);
    if (kind === 'busy') return busy(answer, 503);
    if (kind === 'away') return void answer.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
    const passed = ask(target + asked.url, { method: asked.method ?? 'GET', headers: asked.headers }, (given) => {
      if (kind === 'lose answer') {
        given.resume().once('end', () => asked.socket.destroy());
        return;
      }
      const deliver = () => {
        answer.writeHead(given.statusCode ?? 500, given.headers);
        if (kind !== 'cut answer') return void given.pipe(answer);
        given.once('data', (chunk: Buffer) =>
          answer.write(chunk.subarray(0, chunk.length >> 1), () => asked.socket.destroy()),
        );
      };
      if (kind === 'late') setTimeout(deliver, random.below(30));
      else deliver();
    });
    passed.once('error', () => asked.socket.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function busy(answer: ServerResponse, status: 429 | 503): void {
  const code = status === 429 ? 'RATE_LIMIT_EXCEEDED' : 'SERVICE_UNAVAILABLE';
  const error = { code, message: 'Later', details: {}, request_id: 'req_proxy', timestamp: new Date().toISOString() };
  answer.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' }).end(JSON.stringify({ error }));
}
