import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import type { Db } from '../../foundation/db/index.ts';
import { type App, type AppError, malformed } from '../../foundation/http/index.ts';
import { asAppError } from '../../foundation/http/request/errors.ts';
import { type OauthBudgets, tooManyAttempts } from './budgets.ts';
import type { ClientDocuments } from './client-documents.ts';
import { asksTooSoon } from './device.service.ts';
import { handOver } from './hand-over.ts';
import { serverMetadata } from './metadata.ts';

type Options = {
  accounts: { db: Db };
  provider: () => Provider;
  publicUrl: () => string;
  budgets: OauthBudgets;
  documents: ClientDocuments | null;
};

const open = { config: { access: 'public' }, schema: { hide: true }, exposeHeadRoute: false } as const;

/**
 * The endpoints that apps call. They accept forms, and respond with JSON and with errors in OAuth's own form (RFC 6749,
 * 5.2).
 */
export function endpointRoutes(app: App, options: Options): void {
  const { provider, publicUrl, budgets, documents } = options;
  const { db } = options.accounts;
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
      if (await asksTooSoon(db, formOf(request))) return sendSlowDown(reply);
      await answer(request, reply);
      if (reply.raw.statusCode === 401) await budgets.noteFailure(request, appId);
    });
    // Answers the preflight request of a browser. The redirect URIs of an app decide from which pages it may call.
    app.options(path, open, answer);
  }

  app.post('/oauth/device', open, async (request, reply) => {
    const wait = await budgets.waitToAuthorize(request);
    if (wait !== null) throw tooManyAttempts(wait);
    // As at /oauth/authorize: the provider stores all parameters, and the database refuses U+0000.
    const hasControls = [...formOf(request).values()].some((value) => /\p{Cc}/u.test(value));
    if (hasControls) throw malformed('The form must not contain control characters');
    await answer(request, reply);
  });
  app.options('/oauth/device', open, answer);

  app.get('/.well-known/oauth-authorization-server', open, async (_request, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .send(serverMetadata(publicUrl(), { takesDocuments: documents !== null })),
  );
}

const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '');

/** The app that the request claims to come from, proven or not. */
function claimedAppId(request: FastifyRequest): string {
  const form = formOf(request);
  const basic = /^Basic +([\w+/=-]+)/i.exec(request.headers.authorization ?? '')?.[1];
  const user = basic === undefined ? undefined : Buffer.from(basic, 'base64').toString('utf8').split(':', 1)[0];
  return user ?? form.get('client_id') ?? '';
}

const sendSlowDown = (reply: FastifyReply): FastifyReply =>
  reply.code(400).header('cache-control', 'no-store').send({
    error: 'slow_down',
    error_description: 'Poll every five seconds, and add five seconds after this response',
  });

function sendOauthError(reply: FastifyReply, { status, message, headers }: AppError): void {
  const error = status >= 500 || status === 429 ? 'temporarily_unavailable' : 'invalid_request';
  reply
    .code(status)
    .headers({ ...headers, 'cache-control': 'no-store' })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ error: status === 500 ? 'server_error' : error, error_description: message }));
}
