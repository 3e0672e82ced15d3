import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import type { App } from '../../foundation/http/index.ts';
import { type Accounts, fromOwnPage } from '../accounts/index.ts';
import { csrfTokenMatches, csrfTokenOf, type SignedIn } from '../auth/index.ts';
import { findUser } from '../users/index.ts';
import { deviceCodePage, deviceConsentPage, deviceDonePage } from './device.pages.ts';
import { type AskingDevice, allowDevice, findDevice, refuseDevice } from './device.service.ts';
import { sendErrorPage } from './page-errors.ts';
import { pageHeaders } from './page-frame.ts';
import type { PageLanguage } from './page-language.ts';
import { type ShownSignIn, trySignIn } from './page-sign-in.ts';
import { signInPage } from './pages.ts';

type Options = {
  provider: () => Provider;
  accounts: Accounts;
  signedIn(request: FastifyRequest): Promise<SignedIn | null>;
  languageFor: PageLanguage;
};

const open = { config: { access: 'public' }, schema: { hide: true }, exposeHeadRoute: false } as const;

/**
 * Pages on which a user authorizes a device that cannot show pages itself (RFC 8628). The user signs in, types the
 * code, sees which app requests which access and from where, and decides. A link may contain the code, but never a
 * decision.
 */
export function deviceRoutes(app: App, options: Options): void {
  const { accounts, signedIn, languageFor } = options;
  const { db } = accounts;
  app.setErrorHandler(sendErrorPage(languageFor));

  app.get<{ Querystring: { user_code?: unknown } }>('/device', open, async (request, reply) => {
    const user = await signedIn(request);
    if (!user) return showSignIn(request, reply, { email: '', problem: null, needsCode: false });
    const { user_code: code } = request.query;
    return showCode(request, reply, user, { code: typeof code === 'string' ? code.slice(0, 20) : '', isWrong: false });
  });

  app.post('/device', { ...open, preHandler: fromOwnPage(accounts.origins) }, async (request, reply) => {
    const form = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '');
    const wanted = form.get('do');
    const user = await signedIn(request);
    if (wanted === 'sign-in') {
      const { shown } = await trySignIn(accounts, form, { request, reply });
      return shown ? showSignIn(request, reply, shown) : reply.redirect(request.url, 303);
    }
    // A user who cancels, or whose session has ended, is sent back to the first page.
    if (!user || !csrfTokenMatches(user.value, form.get('csrf_token'))) return reply.redirect('/device', 303);
    const typed = form.get('user_code') ?? '';
    const { userId } = user.principal;
    const asking = await findDevice(db, { typed, userId, address: request.ip });
    if (!asking) return showCode(request, reply.code(404), user, { code: typed.slice(0, 20), isWrong: true });
    if (wanted === 'allow') return showDone(request, reply, user, { asking, isAllowed: true });
    if (wanted === 'deny') return showDone(request, reply, user, { asking, isAllowed: false });
    return showConsent(request, reply, user, asking);
  });

  async function showSignIn(request: FastifyRequest, reply: FastifyReply, shown: ShownSignIn): Promise<FastifyReply> {
    const page = signInPage(await languageFor(request), { ...shown, appName: 'Bottega', action: request.url });
    return reply.headers(pageHeaders()).send(page);
  }

  async function showCode(
    request: FastifyRequest,
    reply: FastifyReply,
    { value }: SignedIn,
    shown: { code: string; isWrong: boolean },
  ): Promise<FastifyReply> {
    const page = deviceCodePage(await languageFor(request), { ...shown, csrf: csrfTokenOf(value) });
    return reply.headers(pageHeaders()).send(page);
  }

  async function showConsent(
    request: FastifyRequest,
    reply: FastifyReply,
    { principal, value }: SignedIn,
    asking: AskingDevice,
  ): Promise<FastifyReply> {
    const account = await findUser(db, principal.userId);
    const who = `${account?.name ?? ''} (${account?.email ?? ''})`;
    const page = deviceConsentPage(await languageFor(request), { asking, who, csrf: csrfTokenOf(value) });
    return reply.headers(pageHeaders()).send(page);
  }

  async function showDone(
    request: FastifyRequest,
    reply: FastifyReply,
    user: SignedIn,
    { asking, isAllowed }: { asking: AskingDevice; isAllowed: boolean },
  ): Promise<FastifyReply> {
    const { userId } = user.principal;
    const isDone = isAllowed
      ? await allowDevice({ db, provider: options.provider() }, { asking, userId }, request)
      : await refuseDevice(db, asking);
    // Another request was faster, or the code has expired.
    if (!isDone) return showCode(request, reply.code(404), user, { code: asking.code, isWrong: true });
    const page = deviceDonePage(await languageFor(request), { appName: asking.appName, isAllowed });
    return reply.headers(pageHeaders()).send(page);
  }
}
