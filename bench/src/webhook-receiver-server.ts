import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// Answers every delivery at once, except those to /slow and /hang; the latter it never answers. Records how long each
// took since its event.
const slowMs = 20;
let lags: number[] = [];
let count = 0;
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url === '/figures') {
      response.end(JSON.stringify({ count, lags }));
      count = 0;
      lags = [];
      return;
    }
    if (request.url === '/hang') return;
    count++;
    const body = Buffer.concat(chunks).toString();
    const [, timestamp] = /"timestamp":"([^"]+)"/.exec(body) ?? [];
    if (timestamp) lags.push(Date.now() - Date.parse(timestamp));
    if (request.url === '/slow') setTimeout(() => response.end('ok'), slowMs);
    else response.end('ok');
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
