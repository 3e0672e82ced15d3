import { allScopes, type Scope, SignIn } from '@bottega/contract';
import type { FastifyRequest } from 'fastify';
import type { Interaction, InteractionResults, Provider } from 'oidc-provider';
import { Value } from 'typebox/value';
import { type AppError, causeOf, unauthenticated } from '../../foundation/http/index.ts';
import { type Accounts, anonymousCause, type SignedInUser, signIn } from '../accounts/index.ts';
import { appIdOf } from './client-documents.ts';
import { giveConsent } from './consents.service.ts';
import { newGrant } from './provider.ts';

/** The parts of an app's request that the pages need. */
export type Asked = { clientId: string; appName: string; redirectUris: string[]; redirectUri: string; scopes: Scope[] };

export async function whatIsAsked(provider: Provider, { params }: Interaction): Promise<Asked> {
  const clientId = String(params.client_id);
  const app = await provider.Client.find(clientId);
  const names = String(params.scope ?? '').split(' ');
  return {
    clientId,
    appName: app?.clientName ?? clientId,
    redirectUris: [...(app?.redirectUris ?? [])],
    redirectUri: String(params.redirect_uri),
    scopes: allScopes.filter((scope) => names.includes(scope)),
  };
}

/** Signs the user in. An incomplete form, which none of our pages would send, is refused like a wrong password. */
export async function signInByForm(
  accounts: Accounts,
  form: URLSearchParams,
  request: FastifyRequest,
): Promise<SignedInUser> {
  const code = form.get('code')?.trim();
  const input = { email: form.get('email')?.trim(), password: form.get('password'), ...(code && { code }) };
  if (!Value.Check(SignIn, input)) throw unauthenticated('The e-mail address or the password is not correct');
  return signIn(accounts, input, anonymousCause(request));
}

export const needsSecondFactor = ({ details }: AppError): boolean =>
  !Array.isArray(details) && details.second_factor_required === true;

/** Stores the consent, and creates a grant for this authorization. */
export async function allow(
  { db, provider, resources }: { db: Accounts['db']; provider: Provider; resources(): readonly string[] },
  { asked, userId }: { asked: Asked; userId: string },
  request: FastifyRequest,
): Promise<InteractionResults> {
  const { clientId, appName, redirectUris, scopes } = asked;
  const appId = appIdOf(clientId);
  const documented = appId === clientId ? null : { id: appId, url: clientId, name: appName, redirectUris };
  const cause = { ...causeOf(request), actorId: userId };
  await giveConsent(db, { consent: { userId, appId, scopes }, documented }, cause);
  const { jti } = await newGrant(provider, { userId, clientId, scopes }, resources());
  return { consent: { grantId: jti } };
}

export const denied: InteractionResults = {
  error: 'access_denied',
  error_description: 'The user denied the request',
};

/** Restarts the same authorization, so that another user can sign in. */
export function beginAnew({ params }: Interaction, changes: Record<string, string> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...params, ...changes })) {
    // The parameter `resource` may occur several times. All others occur only once.
    for (const one of [value].flat()) if (typeof one === 'string') query.append(name, one);
  }
  return `/oauth/authorize?${query}`;
}
