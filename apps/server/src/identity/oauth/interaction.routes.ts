import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors, type Interaction, type InteractionResults, type Provider } from 'oidc-provider';
import type { App } from '../../foundation/http/index.ts';
import { type Accounts, fromOwnPage } from '../accounts/index.ts';
import { csrfTokenMatches, csrfTokenOf, type SignedIn } from '../auth/index.ts';
import { findUser } from '../users/index.ts';
import { replayed } from './hand-over.ts';
import * as steps from './interaction.service.ts';
import { sendErrorPage } from './page-errors.ts';
import { formTargetOf, pageHeaders } from './page-frame.ts';
import type { PageLanguage } from './page-language.ts';
import { type ShownSignIn, trySignIn } from './page-sign-in.ts';
import { consentPage, signInPage } from './pages.ts';

type Options = {
  provider: () => Provider;
  accounts: Accounts;
  resources(): readonly string[];
  signedIn(request: FastifyRequest): Promise<SignedIn | null>;
  languageFor: PageLanguage;
};

const open = { config: { access: 'public' }, schema: { hide: true }, exposeHeadRoute: false } as const;
const path = '/oauth/interaction/:uid';

/**
 * The steps between an app's request and its response: signing in, then allowing access. For each step, the provider
 * sends the browser here. At the end of the step, the browser returns to the provider, which receives the result. A
 * user who is already signed in skips the first page. A user who has already allowed the scopes skips the second.
 */
export function interactionRoutes(app: App, options: Options): void {
  const { accounts, signedIn, languageFor } = options;
  app.setErrorHandler(sendErrorPage(languageFor));

  app.get<Uid>(path, open, async (request, reply) => {
    const visit = await begin(options, request, reply);
    const user = await signedIn(request);
    if (visit.step === 'sign-in') {
      if (!user || visit.mustSignInAgain) return showSignIn(visit, { email: '', problem: null, needsCode: false });
      return visit.finish({ login: { accountId: user.principal.userId } });
    }
    // In this case, the user has signed out, or another user has signed in, while this page was open.
    if (user?.principal.userId !== visit.accountId) return visit.leave(steps.beginAnew(visit.interaction));
    return showConsent(visit, user);
  });

  app.post<Uid>(path, { ...open, preHandler: fromOwnPage(accounts.origins) }, async (request, reply) => {
    const visit = await begin(options, request, reply);
    const form = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '');
    const wanted = form.get('do');
    if (wanted === 'deny') return visit.finish(steps.denied);
    if (visit.step === 'sign-in') return wanted === 'sign-in' ? signInHere(visit, form) : visit.leave(request.url);
    const user = await signedIn(request);
    if (user?.principal.userId !== visit.accountId) return visit.leave(steps.beginAnew(visit.interaction));
    if (wanted === 'switch') return visit.leave(steps.beginAnew(visit.interaction, { prompt: 'login' }));
    // If the token does not match, the page is shown again, because a new session may have begun since the page was
    // opened.
    const isMeant = wanted === 'allow' && user && csrfTokenMatches(user.value, form.get('csrf_token'));
    if (!isMeant) return visit.leave(request.url);
    const choice = { asked: visit.asked, userId: visit.accountId };
    const parts = { db: accounts.db, provider: options.provider(), resources: options.resources };
    return visit.finish(await steps.allow(parts, choice, request));
  });

  async function signInHere(visit: Visit, form: URLSearchParams): Promise<FastifyReply> {
    const tried = await trySignIn(accounts, form, visit);
    return tried.shown ? showSignIn(visit, tried.shown) : visit.finish({ login: { accountId: tried.userId } });
  }

  async function showSignIn({ reply, asked, request }: Visit, shown: ShownSignIn): Promise<FastifyReply> {
    const page = signInPage(await languageFor(request), { ...shown, appName: asked.appName, action: request.url });
    return reply.headers(pageHeaders(formTargetOf(asked.redirectUri))).send(page);
  }

  async function showConsent({ reply, asked, request }: Visit, { principal, value }: SignedIn): Promise<FastifyReply> {
    const account = await findUser(accounts.db, principal.userId);
    const target = formTargetOf(asked.redirectUri);
    const page = consentPage(await languageFor(request), {
      appName: asked.appName,
      scopes: asked.scopes,
      account: { name: account?.name ?? '', email: account?.email ?? '', theme: account?.theme ?? 'system' },
      redirectHost: /^https?:/.test(target) ? new URL(target).host : target,
      csrf: csrfTokenOf(value),
      action: request.url,
    });
    return reply.headers(pageHeaders(target)).send(page);
  }
}

type Uid = { Params: { uid: string } };

type Visit = {
  request: FastifyRequest;
  reply: FastifyReply;
  interaction: Interaction;
  step: 'sign-in' | 'consent';
  /** The user who is asked for consent. */
  accountId: string;
  mustSignInAgain: boolean;
  asked: steps.Asked;
  /** Reports the result to the provider, and sends the browser back to it. */
  finish(result: InteractionResults): Promise<FastifyReply>;
  leave(address: string): FastifyReply;
};

/** Finds the authorization by its cookie. So a URL that was copied to another browser opens nothing. */
async function begin(
  { provider, accounts }: Options,
  request: FastifyRequest<Uid>,
  reply: FastifyReply,
): Promise<Visit> {
  const incoming = replayed(request, { publicUrl: accounts.publicUrl() });
  const interaction = await provider().interactionDetails(incoming, reply.raw);
  if (interaction.uid !== request.params.uid) throw new errors.SessionNotFound('another authorization');
  const leave = (address: string) => reply.header('cache-control', 'no-store').redirect(address, 303);
  return {
    request,
    reply,
    interaction,
    step: interaction.prompt.name === 'login' ? 'sign-in' : 'consent',
    accountId: interaction.session?.accountId ?? '',
    mustSignInAgain: interaction.prompt.reasons.includes('login_prompt'),
    asked: await steps.whatIsAsked(provider(), interaction),
    finish: async (result) => leave(await provider().interactionResult(incoming, reply.raw, result)),
    leave,
  };
}
