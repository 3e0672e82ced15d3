import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

export type ForeignServer = {
  url: string;
  requests: string[];
  /** Called before the next request is served, which waits for it. */
  beforeNext: (() => Promise<void>) | null;
};

/** Another git server: git's own CGI program for the repositories of one directory. */
export function useForeignServer(directory: string): ForeignServer {
  const foreign: ForeignServer = { url: '', requests: [], beforeNext: null };
  const server = createServer(async (request, response) => {
    foreign.requests.push(`${request.method} ${request.url}`);
    const { beforeNext } = foreign;
    foreign.beforeNext = null;
    await beforeNext?.();
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    if (pathname.startsWith('/moved/')) {
      response.writeHead(302, { location: (request.url ?? '').replace('/moved/', '/') }).end();
    } else if (pathname.startsWith('/private/')) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
    } else serve(directory, request, response);
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    foreign.url = `http://localhost:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  return foreign;
}

function serve(directory: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://x');
  const cgi = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH ?? '',
      GIT_PROJECT_ROOT: directory,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? '',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
  });
  request.pipe(cgi.stdin);
  const chunks: Buffer[] = [];
  cgi.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  cgi.on('close', () => {
    const answer = Buffer.concat(chunks);
    const end = answer.indexOf('\r\n\r\n');
    const headers = answer.toString('latin1', 0, end).split('\r\n');
    const status = headers.find((line) => line.startsWith('Status: '))?.slice(8, 11) ?? '200';
    const rest = headers.filter((line) => !line.startsWith('Status: ')).map((line) => line.split(': ', 2));
    response.writeHead(Number(status), Object.fromEntries(rest)).end(answer.subarray(end + 4));
  });
}
