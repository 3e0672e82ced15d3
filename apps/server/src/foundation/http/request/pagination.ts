import type { FastifyReply } from 'fastify';

export type Page = { page: number; limit: number };
type PageInfo = Page & { total: number; total_pages: number };
type PageRequest = { query: Page; url: string };

/**
 * Builds the response of a route that lists by pages, and sets a header with links to the other pages. If `next` says
 * where the following page begins, the link to that page contains `next`, so that it can be read without skipping rows.
 */
export function asPage<Item>(
  request: PageRequest,
  reply: FastifyReply,
  publicUrl: string,
  { data, total, next }: { data: Item[]; total: number; next?: string },
): { data: Item[]; pagination: PageInfo } {
  const { page, limit } = request.query;
  const pagination = { page, limit, total, total_pages: Math.ceil(total / limit) };
  reply.header('link', linkHeader(request.url, publicUrl, pagination, next));
  return { data, pagination };
}

/** Links to the first, previous, next and last page (RFC 8288). All other query values stay as the client sent them. */
function linkHeader(url: string, publicUrl: string, info: PageInfo, next: string | undefined): string {
  const last = Math.max(1, info.total_pages);
  const links: [string, number][] = [['first', 1]];
  if (info.page > 1) links.push(['prev', Math.min(info.page - 1, last)]);
  if (info.page < last) links.push(['next', info.page + 1]);
  links.push(['last', last]);
  const [path = '', query = ''] = url.split('?', 2);
  return links
    .map(([relation, page]) => {
      const parameters = new URLSearchParams(query);
      parameters.set('page', String(page));
      parameters.delete('cursor');
      if (relation === 'next' && next !== undefined) parameters.set('cursor', next);
      return `<${publicUrl}${path}?${parameters}>; rel="${relation}"`;
    })
    .join(', ');
}
