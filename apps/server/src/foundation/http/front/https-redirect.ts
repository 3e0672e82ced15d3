import { createServer, type Server } from 'node:http';
import { domainOrigin, type OwnHosts, originOf } from '../../tls/own-names.ts';
import { problemOfForm } from './request-form.ts';

/**
 * Redirects plain HTTP to HTTPS, but only for our hosts and the domains of users, because it must not be an open
 * redirect.
 */
export function createHttpsRedirect(hosts: OwnHosts, isDomain: (name: string) => Promise<boolean>): Server {
  return createServer(
    { maxHeaderSize: 16_384, headersTimeout: 10_000, requestTimeout: 10_000 },
    async (request, response) => {
      const name = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
      const isFormed = problemOfForm(request) === null;
      const own = isFormed ? originOf(name, hosts) : null;
      const isOthers = own === null && isFormed && (await isDomain(name).catch(() => false));
      const origin = isOthers ? domainOrigin(name, hosts) : own;
      // The body is not read, because the client sends it again to the new address.
      const headers = { connection: 'close', 'content-length': '0' };
      if (origin === null) response.writeHead(404, headers).end();
      else response.writeHead(308, { ...headers, location: `${origin}${request.url}` }).end();
    },
  );
}
