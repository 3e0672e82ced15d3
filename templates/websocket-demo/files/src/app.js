import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRoom } from './room.js';
import { acceptWebSocket } from './websocket.js';

const pages = new Map([
  ['/', ['index.html', 'text/html']],
  ['/client.js', ['client.js', 'text/javascript']],
  ['/style.css', ['style.css', 'text/css']],
]);

export function createApp({ pingMs = 30_000 } = {}) {
  const room = createRoom();

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const page = pages.get(pathname);
    if (!page || request.method !== 'GET') {
      response.writeHead(page ? 405 : 404, { 'content-type': 'text/plain' }).end('There is nothing here\n');
      return;
    }
    const [file, type] = page;
    const content = await readFile(new URL(`../public/${file}`, import.meta.url));
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(content);
  });

  server.on('upgrade', (request, socket, head) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const refusal = pathname === '/ws' ? whyNot(request) : '404 Not Found';
    if (refusal) {
      socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    room.join(acceptWebSocket(request, socket, head, { pingMs }));
  });

  function close(done) {
    room.closeAll();
    server.close(done);
    server.closeIdleConnections();
  }

  return { server, close };
}

/** A page of another site could act for whoever looks at it; programs send no Origin. */
function whyNot(request) {
  const { origin, host, upgrade } = request.headers;
  if (upgrade?.toLowerCase() !== 'websocket' || request.headers['sec-websocket-version'] !== '13') {
    return '426 Upgrade Required';
  }
  if (!/^[A-Za-z0-9+/]{22}==$/.test(request.headers['sec-websocket-key'] ?? '')) return '400 Bad Request';
  if (origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host)) return '403 Forbidden';
  return null;
}
