import { createServer, type Server } from 'node:http';
import { problemOfForm } from '../http/request-form.ts';
import { type OwnHosts, originOf } from './own-names.ts';

/** Sends plain HTTP on to the same address by HTTPS, for hosts of ours only: it must not lead anybody elsewhere. */
export function createHttpsRedirect(hosts: OwnHosts): Server {
  return createServer(
    { maxHeaderSize: 16_384, headersTimeout: 10_000, requestTimeout: 10_000 },
    (request, response) => {
      const name = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
      const origin = problemOfForm(request) === null ? originOf(name, hosts) : null;
      // A body is not read: the client sends it again to where it belongs.
      const headers = { connection: 'close', 'content-length': '0' };
      if (origin === null) response.writeHead(404, headers).end();
      else response.writeHead(308, { ...headers, location: `${origin}${request.url}` }).end();
    },
  );
}
