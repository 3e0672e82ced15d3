import type { FastifyReply, FastifyRequest } from 'fastify';
import { type App, forever, sendBuiltFile } from '../foundation/http/index.ts';
import type { NotFoundHandler } from '../foundation/http/request/errors.ts';
import type { Dashboard } from './built-files.ts';
import { asData, askFor, drawnList, type GivenAnswers } from './given-answers.ts';
import { pageWithPolicy } from './page-policy.ts';
import { givenWith, listOfProjects, preloadsOf } from './preloads.ts';
import { previewFrame, previewHeaders } from './preview-frame.ts';
import { screens } from './screens.ts';

const open = { config: { access: 'public' }, schema: { hide: true } } as const;

/**
 * Serves the dashboard's files, and its one page at the URL of every screen. Without a build, `/` redirects to the
 * documentation.
 */
export function dashboardRoutes(app: App, dashboard: Dashboard | null, appsSource: () => string): void {
  for (const screen of screens) {
    app.get(screen, open, async (request, reply) => {
      reply.header('vary', 'Accept');
      if (dashboard && (isLink(screen) || wantsPage(request))) {
        const given = isSignedIn(request) ? await askFor(app, request, givenWith(request.url)) : undefined;
        return sendPage(request, reply, { dashboard, appsSource: appsSource(), given });
      }
      return screen === '/' ? reply.redirect('/docs/') : reply.callNotFound();
    });
  }
  if (!dashboard) return;
  app.get('/assets/*', open, (request, reply) => sendFile(request, reply, dashboard));
  app.get('/preview-frame', open, (_request, reply) => reply.headers(previewHeaders).send(previewFrame));
  app.get('/favicon.svg', open, (request, reply) => sendFile(request, reply, dashboard));
}

/** Paths that only programs use. They never get the dashboard's page, whatever their Accept header says. */
const ofPrograms =
  /^\/(v1|api|git|oauth|docs|downloads|guide|mcp|assets|avatars|templates|\.well-known|openapi\.json|metrics|healthz|readyz)([/?]|$)/;

/** Shows the dashboard's not-found screen if a person has mistyped a URL or followed a dead link. */
export const dashboardNotFound =
  (dashboard: Dashboard, appsSource: () => string): NotFoundHandler =>
  (request, reply) => {
    const isReader = request.method === 'GET' && wantsPage(request) && !ofPrograms.test(request.url);
    if (isReader) sendPage(request, reply.code(404).header('vary', 'Accept'), { dashboard, appsSource: appsSource() });
    return isReader;
  };

/**
 * Whether a screen has a URL that people send to each other. For such a screen, all clients get the page, including
 * those that show link previews.
 */
const isLink = (screen: string): boolean => screen === '/join/*' || screen === '/invitations/*';

/** A browser that opens a URL accepts HTML. Any other client has mistaken a screen for the API. */
const wantsPage = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') ?? false;

const isSignedIn = ({ headers }: FastifyRequest): boolean => headers.cookie?.includes('bottega_session=') ?? false;

type Shown = { dashboard: Dashboard; appsSource: string; given?: GivenAnswers | undefined };

function sendPage(request: FastifyRequest, reply: FastifyReply, shown: Shown): FastifyReply {
  const { dashboard, appsSource, given = new Map() } = shown;
  // The replacements are functions, because `$` has a special meaning in a replacement string.
  const arriving = dashboard.page
    .replace('<!--preloads-->', () =>
      preloadsOf(request.url, dashboard.screens, { isSignedIn: isSignedIn(request), given }),
    )
    .replace('__FRAME__', isSignedIn(request) ? 'inside' : 'front-door');
  const { body, policy } = pageWithPolicy(arriving, appsSource);
  // These parts are inserted after the nonce, because text that users wrote must not get the nonce.
  const filled = body
    .replace('<!--list-->', () => drawnList(given.get(listOfProjects)))
    .replace('<!--given-->', () => asData(given));
  return (
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      // The page refers to the files of the current version, and its nonce is used once.
      .header('cache-control', 'no-store')
      .send(filled)
  );
}

function sendFile(request: FastifyRequest, reply: FastifyReply, { files }: Dashboard): Promise<FastifyReply> {
  const path = request.url.split('?', 1)[0] ?? '';
  const cacheControl = path.startsWith('/assets/') ? forever : 'public, max-age=3600';
  return sendBuiltFile(request, reply, { file: files.get(path), cacheControl });
}
