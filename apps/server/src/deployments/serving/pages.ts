import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** A page of the service's own: it says one thing and can do nothing. */
export function plainPage(response: ServerResponse, status: number, message: string): void {
  const title = `${status} ${STATUS_CODES[status] ?? ''}`.trim();
  const text = `<!doctype html><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><p>${message}.</p>\n`;
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      ...(status === 503 && { 'retry-after': '2' }),
    })
    .end(text);
}

/** Who asked for another protocol is answered by a line and the end. */
export function refuseUpgrade(socket: Duplex, status: number): void {
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  endSoon(socket);
}

const lingerMs = 5_000;

/** Says the end and reads until the other side says it too, so that nothing sent is lost; but it waits only so long. */
export function endSoon(socket: Duplex): void {
  socket.end();
  socket.resume();
  const late = setTimeout(() => socket.destroy(), lingerMs);
  socket.on('close', () => clearTimeout(late));
  if (socket.closed) clearTimeout(late);
}
