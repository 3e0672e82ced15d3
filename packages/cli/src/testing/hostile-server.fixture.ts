import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

/** Moves the cursor, sets the title, writes to the clipboard, hides text, reverses the order, begins a new line. */
export const hostileText =
  'a\u001b[2Jb\u001b]0;title\u0007c\u001b]52;c;aGk=\u001b\\d\u009b2Je\u001b[8mf\u202eg\rh\u007f';
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about.
export const moves = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

/** A server that answers as its test wants, and records requests. */
export function useHostileServer(answer: RequestListener) {
  const server = { url: '', asked: [] as { url: string; authorization: string | undefined }[] };
  const http = createServer((request, response) => {
    server.asked.push({ url: request.url ?? '', authorization: request.headers.authorization });
    answer(request, response);
  });
  beforeAll(async () => {
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  });
  afterAll(() => void http.close());
  return server;
}
