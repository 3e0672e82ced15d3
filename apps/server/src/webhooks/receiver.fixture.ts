import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type Received = {
  headers: IncomingHttpHeaders;
  body: string;
  json: Record<string, unknown>;
  path: string;
  at: number;
};
export type Answer = (request: Received, response: ServerResponse, raw: IncomingMessage) => void;

export type Receiver = {
  url: string;
  received: Received[];
  /** Number of TCP connections opened so far. */
  connections(): number;
  answer(next: Answer): void;
  close(): Promise<void>;
};

export const ok: Answer = (_, response) => void response.end('ok');
export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response.writeHead(code, headers).end(`status ${code}`);
/** Reads the request and never answers. */
export const hang: Answer = () => undefined;

/** A real HTTP server that records requests and answers as told. */
export async function startReceiver(first: Answer = ok): Promise<Receiver> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let opened = 0;
  let answer = first;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const one = { headers: request.headers, body, json: JSON.parse(body), path: request.url ?? '', at: Date.now() };
      received.push(one);
      answer(one, response, request);
    });
  });
  server.on('connection', (socket) => {
    opened++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    connections: () => opened,
    answer(next) {
      answer = next;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
