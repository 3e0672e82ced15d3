import { readFile } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../foundation/http/index.ts';
import type { BuiltFile, Dashboard } from './built-files.ts';
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

async function sendFile(request: FastifyRequest, reply: FastifyReply, { files }: Dashboard): Promise<FastifyReply> {
  const path = request.url.split('?', 1)[0] ?? '';
  const file = files.get(path);
  const { encoding, place } = bestEncoding(file, request.headers['accept-encoding'] ?? '');
  // Whoever builds again while the service runs takes away what was there.
  const content = place === null ? null : await readFile(place).catch(() => null);
  if (!file || !content) {
    reply.callNotFound();
    return reply;
  }
  if (encoding) reply.header('content-encoding', encoding);
  const isHashed = path.startsWith('/assets/');
  return reply
    .type(/^text\/|javascript/.test(file.type) ? `${file.type}; charset=utf-8` : file.type)
    .header('vary', 'Accept-Encoding')
    .header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600')
    .send(content);
}

function bestEncoding(file: BuiltFile | undefined, accepted: string) {
  const { plain, br, gzip } = file ?? { plain: null, br: null, gzip: null };
  if (br && /\bbr\b(?!;\s*q=0(?![.\d]))/.test(accepted)) return { encoding: 'br', place: br };
  if (gzip && /\bgzip\b(?!;\s*q=0(?![.\d]))/.test(accepted)) return { encoding: 'gzip', place: gzip };
  return { encoding: null, place: plain };
}
