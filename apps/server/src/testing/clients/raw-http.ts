import { connect } from 'node:net';
import type { Answer } from './http-client.ts';

/** Sends the bytes unchanged, which no HTTP client would, and reads one whole answer. */
export function sendBytes(url: string, bytes: string | Uint8Array): Promise<Answer<unknown>> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect({ host: hostname, port: Number(port) });
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      received += chunk;
      const answer = parseAnswer(received);
      if (!answer) return;
      resolve(answer);
      socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`closed after ${received.length} bytes: ${received.slice(0, 200)}`)));
    socket.write(bytes);
  });
}

/** Undefined until the answer is complete. An answer without a length has no body. */
function parseAnswer(received: string): Answer<unknown> | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [statusLine = '', ...lines] = received.slice(0, end).split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  const length = Number(headers.get('content-length') ?? 0);
  const body = received.slice(end + 4);
  if (body.length < length) return undefined;
  const text = Buffer.from(body.slice(0, length), 'latin1').toString('utf8');
  const isJson = headers.get('content-type')?.startsWith('application/json') && text !== '';
  return { status: Number(statusLine.split(' ')[1]), headers, body: isJson ? JSON.parse(text) : {}, text };
}
