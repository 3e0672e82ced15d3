import type { FastifyReply, FastifyRequest } from 'fastify';
import { type App, forever, sendBuiltFile } from '../foundation/http/index.ts';
import type { Dashboard } from './built-files.ts';
import { pageWithPolicy } from './page-policy.ts';
import { preloadsOf } from './preloads.ts';
import { previewFrame, previewHeaders } from './preview-frame.ts';
import { screens } from './screens.ts';

const open = { config: { access: 'public' }, schema: { hide: true } } as const;

/** The dashboard's files, and its one page at the address of every screen. Without a build `/` is the documentation. */
export function dashboardRoutes(app: App, dashboard: Dashboard | null, appsSource: () => string): void {
  for (const screen of screens) {
    app.get(screen, open, (request, reply) => {
      reply.header('vary', 'Accept');
      if (dashboard && (isLink(screen) || wantsPage(request))) return sendPage(request, reply, dashboard, appsSource());
      return screen === '/' ? reply.redirect('/docs/') : reply.callNotFound();
    });
  }
  if (!dashboard) return;
  app.get('/assets/*', open, (request, reply) => sendFile(request, reply, dashboard));
  app.get('/preview-frame', open, (_request, reply) => reply.headers(previewHeaders).send(previewFrame));
  app.get('/favicon.svg', open, (request, reply) => sendFile(request, reply, dashboard));
}

/** Addresses that people send to each other: whatever opens one, such as a preview of the link, is meant to see the page. */
const isLink = (screen: string): boolean => screen === '/join/*' || screen === '/invitations/*';

/** A browser that opens an address says so; whatever else asks here has mistaken a screen for the API. */
const wantsPage = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') ?? false;

function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { page, screens }: Dashboard,
  appsSource: string,
): FastifyReply {
  const isSignedIn = request.headers.cookie?.includes('bottega_session=') ?? false;
  const arriving = page
    .replace('<!--preloads-->', preloadsOf(request.url, screens, isSignedIn))
    .replace('__FRAME__', isSignedIn ? 'inside' : 'front-door');
  const { body, policy } = pageWithPolicy(arriving, appsSource);
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
