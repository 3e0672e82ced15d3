import type { File } from '@bottega/contract';
import type { FastifyReply } from 'fastify';

type ListRequest = { query: { limit?: number }; url: string };

/**
 * One entry more than the page size shows that there is another page. The `Link` header (RFC 8288) contains the path
 * after which it begins.
 */
export function asFilePage(request: ListRequest, reply: FastifyReply, publicUrl: string, listed: File[]): File[] {
  const { limit = listed.length } = request.query;
  const page = listed.slice(0, limit);
  const last = page.at(-1);
  if (last && listed.length > limit) {
    const [path = '', query = ''] = request.url.split('?', 2);
    const parameters = new URLSearchParams(query);
    parameters.set('cursor', last.path);
    reply.header('link', `<${publicUrl}${path}?${parameters}>; rel="next"`);
  }
  return page;
}
