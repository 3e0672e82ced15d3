import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { type App, malformed } from '../../foundation/http/index.ts';
import type { SignedIn } from '../auth/index.ts';
import { type OauthBudgets, tooManyAttempts } from './budgets.ts';
import { handOver } from './hand-over.ts';
import { sendErrorPage } from './page-errors.ts';
import type { PageLanguage } from './page-language.ts';

type Options = {
  provider: () => Provider;
  publicUrl: () => string;
  budgets: OauthBudgets;
  signedIn(request: FastifyRequest): Promise<SignedIn | null>;
  languageFor: PageLanguage;
};

const open = { config: { access: 'public' }, schema: { hide: true }, exposeHeadRoute: false } as const;

/** The route to which apps send browsers, and to which browsers return after each page. */
export function authorizeRoutes(app: App, options: Options): void {
  const { provider, publicUrl, budgets, signedIn } = options;
  app.setErrorHandler(sendErrorPage(options.languageFor));

  app.get<{ Querystring: Record<string, unknown> }>('/oauth/authorize', open, async (request, reply) => {
    const wait = await budgets.waitToAuthorize(request);
    if (wait !== null) throw tooManyAttempts(wait);
    // Control characters are not allowed in a parameter (RFC 6749, appendix A), and the database cannot store them.
    if (/%([01][0-9a-f]|7f)/i.test(request.url)) throw malformed('The query must not contain control characters');
    // Other response modes are refused here, because the provider would refuse them by an answer in that mode, with a
    // page that has a script.
    const { response_mode: mode = 'query', prompt } = request.query;
    if (mode !== 'query') throw malformed('response_mode must be query');
    // After `prompt=login`, another user may sign in, so the provider's old session must not be used.
    const asksWho = typeof prompt === 'string' && prompt.split(' ').includes('login');
    return answer(request, reply, asksWho);
  });

  app.get('/oauth/authorize/:uid', open, (request, reply) => answer(request, reply, false));

  /**
   * The provider has a separate session, which lasts from one page to the next. This session is used only if it belongs
   * to the user who is signed in to the service. Otherwise, the provider asks the user to sign in.
   */
  async function answer(request: FastifyRequest, reply: FastifyReply, asksWho: boolean): Promise<void> {
    const holds = !asksWho && (await hasOwnSession(request, reply));
    const withoutCookie = holds ? undefined : provider().cookieName('session');
    return handOver(provider(), request, reply, { publicUrl: publicUrl(), withoutCookie });
  }

  async function hasOwnSession(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const { cookies } = provider().createContext(request.raw, reply.raw);
    const id = cookies.get(provider().cookieName('session'), { signed: true });
    const user = id && (await signedIn(request));
    if (!user) return false;
    const session = await provider().Session.find(id);
    return session?.accountId === user.principal.userId;
  }
}
