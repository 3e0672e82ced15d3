import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll } from 'vitest';
import { waitFor } from '../parts/wait-for.ts';

export type Received = {
  path: string;
  headers: IncomingHttpHeaders;
  /** The unparsed body, which the signatures cover. */
  body: string;
  json: Record<string, unknown>;
};

type Reply = { status?: number; headers?: Record<string, string>; body?: string };

export type Receiver = {
  /** Requests at one path, so that tests can share a receiver. */
  at(path: string): { url: string; received: Received[]; nth(index: number): Promise<Received> };
  /** Sets the answer at that path; 200 with `ok` by default. */
  reply(path: string, reply: Reply | ((received: Received, index: number) => Reply)): void;
};

/** The server of a third party that receives webhooks, with plain HTTP on this machine. */
export function useReceiver(): Receiver {
  const received: Received[] = [];
  const replies = new Map<string, Reply | ((received: Received, index: number) => Reply)>();
  const server = createServer(async (request, response) => {
    const body = await readText(request);
    const path = request.url ?? '';
    const one: Received = { path, headers: request.headers, body, json: JSON.parse(body) };
    const index = received.filter((other) => other.path === path).length;
    received.push(one);
    const reply = replies.get(path) ?? {};
    const { status = 200, headers = {}, body: answer = 'ok' } = typeof reply === 'function' ? reply(one, index) : reply;
    response.writeHead(status, headers).end(answer);
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    at(path) {
      const { port } = server.address() as AddressInfo;
      const own = () => received.filter((one) => one.path === path);
      return {
        url: `http://127.0.0.1:${port}${path}`,
        get received() {
          return own();
        },
        nth: (index) => waitFor(`request ${index + 1} at ${path}`, () => own()[index]),
      };
    },
    reply: (path, reply) => void replies.set(path, reply),
  };
}
