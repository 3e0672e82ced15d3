import { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { withPlainResources } from './resources.ts';

type Changes = { publicUrl: string; withoutCookie?: string | undefined; accept?: string };

/**
 * Lets the provider answer a request. The provider is a Koa application that uses Node's own objects, so its response
 * bypasses Fastify. The response still has the headers that our hooks have set: request id, budgets, security.
 */
export async function handOver(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
  changes: Changes,
): Promise<void> {
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  await provider.callback()(replayed(request, changes), reply.raw);
}

const requests = new WeakMap<IncomingMessage, FastifyRequest>();

/** The Fastify request behind a request that was handed over. */
export const requestOf = (incoming: IncomingMessage): FastifyRequest | undefined => requests.get(incoming);

/**
 * Returns a copy of the request. Its body can be read again, although Fastify has already read the original. Its host
 * is always that of the public address, whatever the client or a proxy sent, because the provider builds URLs from the
 * host.
 */
export function replayed(request: FastifyRequest, { publicUrl, withoutCookie, accept }: Changes): IncomingMessage {
  const { raw } = request;
  const { host, protocol } = new URL(publicUrl);
  const incoming = new IncomingMessage(raw.socket);
  const { cookie, 'transfer-encoding': _chunked, ...headers } = raw.headers;
  const [path = '', query] = (raw.url ?? '').split(/\?(.*)/s);
  const url = query === undefined ? path : `${path}?${withPlainResources(query, publicUrl)}`;
  const form = Buffer.isBuffer(request.body) ? request.body.toString('latin1') : '';
  const body = Buffer.from(withPlainResources(form, publicUrl), 'latin1');
  const cookies = cookie && withoutCookie ? withoutNamed(cookie, withoutCookie) : cookie;
  // The copy is marked as complete. Otherwise, its end would look like a broken connection and close the socket.
  Object.assign(incoming, { method: raw.method, url, httpVersion: raw.httpVersion, complete: true });
  incoming.headers = {
    ...headers,
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'content-length': String(body.length),
    ...(cookies && { cookie: cookies }),
    ...(accept && { accept }),
  };
  requests.set(incoming, request);
  incoming.push(body);
  incoming.push(null);
  return incoming;
}

/** Removes a cookie and its signature, which is in a second cookie named after the first. */
function withoutNamed(header: string, name: string): string {
  return header
    .split(';')
    .filter((pair) => ![name, `${name}.sig`].includes(pair.split('=', 1)[0]?.trim() ?? ''))
    .join(';');
}
