import type { FastifyRequest } from 'fastify';

export type Page = { page: number; limit: number };
export type PageInfo = Page & { total: number; total_pages: number };

export function pageInfo({ page, limit }: Page, total: number): PageInfo {
  return { page, limit, total, total_pages: Math.ceil(total / limit) };
}

/** RFC 8288: first, prev, next and last, with every other query value kept as the client sent it. */
export function linkHeader(request: FastifyRequest, publicUrl: string, info: PageInfo): string {
  const last = Math.max(1, info.total_pages);
  const links: [string, number][] = [['first', 1]];
  if (info.page > 1) links.push(['prev', Math.min(info.page - 1, last)]);
  if (info.page < last) links.push(['next', info.page + 1]);
  links.push(['last', last]);
  const [path = '', query = ''] = request.url.split('?', 2);
  return links
    .map(([relation, page]) => {
      const parameters = new URLSearchParams(query);
      parameters.set('page', String(page));
      return `<${publicUrl}${path}?${parameters}>; rel="${relation}"`;
    })
    .join(', ');
}
