import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { asAppError } from '../../foundation/http/errors.ts';
import type { App, AppError } from '../../foundation/http/index.ts';
import { type OauthBudgets, tooManyAttempts } from './budgets.ts';
import type { ClientDocuments } from './client-documents.ts';
import { handOver } from './hand-over.ts';
import { serverMetadata } from './metadata.ts';

type Options = {
  provider: () => Provider;
  publicUrl: () => string;
  budgets: OauthBudgets;
  documents: ClientDocuments | null;
};

const open = { config: { access: 'public' }, schema: { hide: true }, exposeHeadRoute: false } as const;

/** What apps themselves call: form in, JSON out, errors in OAuth's own form (RFC 6749, 5.2). */
export function endpointRoutes(app: App, { provider, publicUrl, budgets, documents }: Options): void {
  app.setErrorHandler((error, request, reply) => {
    const known = asAppError(error);
    if (known.status >= 500) request.log.error({ request_id: request.id, err: known.cause ?? error }, known.message);
    sendOauthError(reply, known);
  });

  const answer = (request: FastifyRequest, reply: FastifyReply) =>
    handOver(provider(), request, reply, { publicUrl: publicUrl(), accept: 'application/json' });

  for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect']) {
    app.post(path, open, async (request, reply) => {
      const appId = claimedAppId(request);
      const wait = await budgets.waitToAuthenticate(request, appId);
      if (wait !== null) throw tooManyAttempts(wait);
      await answer(request, reply);
      if (reply.raw.statusCode === 401) await budgets.noteFailure(request, appId);
    });
    // A browser asks first whether a page of the app's may call; which one may is known from its redirect URIs.
    app.options(path, open, answer);
  }

  app.get('/.well-known/oauth-authorization-server', open, async (_request, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .send(serverMetadata(publicUrl(), { takesDocuments: documents !== null })),
  );
}

/** Whoever the request says it comes from, proven or not. */
function claimedAppId(request: FastifyRequest): string {
  const form = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '');
  const basic = /^Basic +([\w+/=-]+)/i.exec(request.headers.authorization ?? '')?.[1];
  const user = basic === undefined ? undefined : Buffer.from(basic, 'base64').toString('utf8').split(':', 1)[0];
  return user ?? form.get('client_id') ?? '';
}

function sendOauthError(reply: FastifyReply, { status, message, headers }: AppError): void {
  const error = status >= 500 || status === 429 ? 'temporarily_unavailable' : 'invalid_request';
  reply
    .code(status)
    .headers({ ...headers, 'cache-control': 'no-store' })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ error: status === 500 ? 'server_error' : error, error_description: message }));
}
