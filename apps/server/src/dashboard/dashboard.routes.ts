import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Lost } from '../foundation/http/errors.ts';
import { type App, forever, sendBuiltFile } from '../foundation/http/index.ts';
import type { Dashboard } from './built-files.ts';
import { pageWithPolicy } from './page-policy.ts';
import { screens } from './screens.ts';

const open = { config: { access: 'public' }, schema: { hide: true } } as const;

/** The dashboard's files, and its one page at the address of every screen. Without a build `/` is the documentation. */
export function dashboardRoutes(app: App, dashboard: Dashboard | null): void {
  for (const screen of screens) {
    app.get(screen, open, (request, reply) => {
      reply.header('vary', 'Accept');
      if (dashboard && (isLink(screen) || wantsPage(request))) return sendPage(reply, dashboard.page);
      return screen === '/' ? reply.redirect('/docs/') : reply.callNotFound();
    });
  }
  if (!dashboard) return;
  app.get('/assets/*', open, (request, reply) => sendFile(request, reply, dashboard));
  app.get('/favicon.svg', open, (request, reply) => sendFile(request, reply, dashboard));
}

/** Where programs ask, whatever they say that they accept. */
const ofPrograms =
  /^\/(v1|api|git|oauth|docs|guide|mcp|assets|avatars|templates|\.well-known|openapi\.json|metrics|healthz|readyz)([/?]|$)/;

/** Somebody who mistyped an address, or followed a dead link, reads so in the dashboard. */
export const lostInDashboard =
  (dashboard: Dashboard): Lost =>
  (request, reply) => {
    const isReader = request.method === 'GET' && wantsPage(request) && !ofPrograms.test(request.url);
    if (isReader) sendPage(reply.code(404).header('vary', 'Accept'), dashboard.page);
    return isReader;
  };

/** Addresses that people send to each other: whatever opens one, such as a preview of the link, is meant to see the page. */
const isLink = (screen: string): boolean => screen === '/join/*' || screen === '/invitations/*';

/** A browser that opens an address says so; whatever else asks here has mistaken a screen for the API. */
const wantsPage = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') ?? false;

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  const { body, policy } = pageWithPolicy(page);
  return (
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      // It names the present version's files, and its nonce is of one use.
      .header('cache-control', 'no-store')
      .send(body)
  );
}

function sendFile(request: FastifyRequest, reply: FastifyReply, { files }: Dashboard): Promise<FastifyReply> {
  const path = request.url.split('?', 1)[0] ?? '';
  const cacheControl = path.startsWith('/assets/') ? forever : 'public, max-age=3600';
  return sendBuiltFile(request, reply, { file: files.get(path), cacheControl });
}
