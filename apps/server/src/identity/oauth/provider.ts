import { generateKeyPairSync, hkdfSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { allScopes, scopesWithin } from '@bottega/contract';
import { type Configuration, errors, type Grant, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Logger } from 'pino';
import { newId } from '../../foundation/ids.ts';
import { findUser } from '../users/index.ts';
import { type AdapterParts, oauthAdapter } from './adapter.ts';
import { appIdOf } from './client-documents.ts';
import { holdsSecret } from './client-secrets.ts';
import type { DeviceInfo } from './consents.service.ts';
import { allowedScopes } from './consents.sql.ts';
import { requestOf } from './hand-over.ts';
import { inWords } from './page-errors.ts';
import type { PageLanguage } from './page-language.ts';
import { errorPage } from './pages.ts';
import { apiResource, audienceFor } from './resources.ts';
import { orUnavailable } from './unavailable.ts';

export type ProviderParts = AdapterParts & {
  log: Logger;
  secretKey: Buffer;
  publicUrl: () => string;
  languageFor: PageLanguage;
};

const minute = 60;
const day = 86_400;
/** Lifetimes in seconds. The grant limits a family of refresh tokens, however often they are rotated (ASVS 10.4.8). */
const lifetimes = {
  AuthorizationCode: minute,
  AccessToken: 60 * minute,
  RefreshToken: 30 * day,
  Grant: 365 * day,
  Interaction: 30 * minute,
  Session: 60 * minute,
  DeviceCode: 10 * minute,
};

/** OAuth 2.0 without OpenID: codes with PKCE, opaque tokens, rotated refresh tokens, revocation, introspection. */
export function createProvider(parts: ProviderParts): Provider {
  const provider = new Provider(parts.publicUrl(), configuration(parts));
  // Trusts the forwarding headers, because only our own code in hand-over.ts sets them.
  provider.proxy = true;
  provider.silent = true;
  provider.Client.prototype.compareClientSecret = function (secret: string) {
    return orUnavailable(holdsSecret(parts.db, this.clientId, secret));
  };
  const logError = (error: Error) => parts.log.error({ source: 'oauth', err: error }, 'failed to handle OAuth request');
  provider.on('server_error', (_ctx, error) => logError(error));
  provider.use(async (ctx, next) => {
    await next().catch((error: Error) => {
      // The error is answered here, because Koa would remove the headers that our hooks have set.
      logError(error);
      ctx.status = 500;
      ctx.body = { error: 'server_error', error_description: 'Something went wrong on our side' };
    });
    if (ctx.status === 503) ctx.set('retry-after', '2');
  });
  return provider;
}

function configuration(parts: ProviderParts): Configuration {
  return {
    adapter: oauthAdapter(parts),
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      revocation: '/oauth/revoke',
      introspection: '/oauth/introspect',
      device_authorization: '/oauth/device',
      // The provider only mentions this address. The pages are ours (device.routes.ts).
      code_verification: '/device',
    },
    // Scopes are defined by the resource. If they were also listed here, the user would be asked for consent twice.
    scopes: [],
    claims: {},
    responseTypes: ['code'],
    allowOmittingSingleRegisteredRedirectUri: false,
    clientAuthMethods: ['client_secret_post', 'client_secret_basic', 'none'],
    pkce: { required: (_ctx, client) => client.clientAuthMethod === 'none' },
    jwks: neverUsedKeys(),
    clientDefaults: { id_token_signed_response_alg: 'Ed25519' },
    ttl: lifetimes,
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    // Tokens outlive the browser session in which the user allowed them. Users can revoke them at authorized-apps.
    expiresWithSession: () => false,
    revokeGrantPolicy: () => true,
    clientBasedCORS: (_ctx, origin, client) => client.redirectUris?.some((uri) => originOf(uri) === origin) ?? false,
    cookies: {
      names: {
        session: 'bottega_oauth',
        interaction: 'bottega_oauth_interaction',
        resume: 'bottega_oauth_resume',
      },
      long: { httpOnly: true, sameSite: 'lax', signed: true, path: '/oauth' },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
      keys: [Buffer.from(hkdfSync('sha256', parts.secretKey, '', 'bottega oauth cookies', 32)).toString('base64url')],
    },
    interactions: { url: (_ctx, interaction) => `/oauth/interaction/${interaction.uid}` },
    features: features(parts),
    async findAccount(_ctx, id) {
      const user = await orUnavailable(findUser(parts.db, id));
      return user && !user.suspended_at ? { accountId: id, claims: () => ({ sub: id }) } : undefined;
    },
    loadExistingGrant: (ctx) => orUnavailable(grantFor(parts, ctx)),
    async renderError(ctx, { error }, cause) {
      ctx.set(errorPage.headers);
      const description = ctx.status === 500 ? 'Something went wrong on our side' : inWords(cause);
      const request = requestOf(ctx.req);
      const language = request ? await parts.languageFor(request) : 'en';
      ctx.body = errorPage.render(language, { error, description, status: ctx.status });
    },
  };
}

function features({ resources }: ProviderParts): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    // DPoP is off, because our guard accepts tokens as Bearer and does not check proofs.
    dPoP: { enabled: false },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
    introspection: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
    deviceFlow: {
      enabled: true,
      charset: 'base-20',
      mask: '****-****',
      deviceInfo: ({ req }) => ({ ...deviceOf(req) }),
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: (_ctx, _client, oneOf) => oneOf?.[0] ?? apiResource,
      useGrantedResource: () => true,
      getResourceServerInfo(ctx, resource) {
        if (!resources().includes(resource)) throw new errors.InvalidTarget();
        if (['authorization', 'device_authorization'].includes(ctx.oidc.route)) mustBeScopes(ctx.oidc.params?.scope);
        return { scope: allScopes.join(' '), audience: audienceFor(resource), accessTokenFormat: 'opaque' };
      },
    },
  };
}

/** The device that sent a request. Its address is the one that our server sees, not the one that the request claims. */
function deviceOf(incoming: IncomingMessage): DeviceInfo {
  const request = requestOf(incoming);
  return {
    device_address: request?.ip ?? '',
    device_agent: (request?.headers['user-agent'] ?? '').replaceAll(/[^\x20-\x7e]/g, '').slice(0, 200),
  };
}

/**
 * Throws for unknown scopes, which the provider would silently drop. `offline_access` is accepted, because many clients
 * request it. It has no effect, since a refresh token is always issued.
 */
function mustBeScopes(asked: unknown): void {
  const names = String(asked ?? '')
    .split(' ')
    .filter((name) => name !== '' && name !== 'offline_access');
  if (names.length === 0) throw new errors.InvalidScope('at least one scope is required', '');
  const unknown = names.find((name) => !(allScopes as string[]).includes(name));
  if (unknown !== undefined) throw new errors.InvalidScope('the request has an unknown scope', unknown);
}

/**
 * Returns the grant of the consent that was just given or, if all scopes were already allowed, a new grant. Each
 * authorization has its own grant. So if a refresh token is stolen, only its own family ends, and the user's other
 * devices stay signed in.
 */
async function grantFor({ db, resources }: ProviderParts, ctx: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { provider, client, account, result, prompts } = ctx.oidc;
  if (!client || !account) return undefined;
  if (result?.consent?.grantId) return provider.Grant.find(result.consent.grantId);
  if (prompts.has('consent') || client.applicationType === 'native') return undefined;
  const asked = allScopes.filter((scope) => ctx.oidc.requestParamScopes.has(scope));
  const allowed = await allowedScopes(db, account.accountId, appIdOf(client.clientId));
  if (allowed.length === 0 || !scopesWithin(asked, allowed)) return undefined;
  return newGrant(provider, { userId: account.accountId, clientId: client.clientId, scopes: asked }, resources());
}

export async function newGrant(
  provider: Provider,
  { userId, clientId, scopes }: { userId: string; clientId: string; scopes: string[] },
  resources: readonly string[],
): Promise<Grant> {
  const grant = new provider.Grant({ accountId: userId, clientId });
  grant.jti = newId('grt');
  for (const resource of resources) grant.addResourceScope(resource, scopes.join(' '));
  await grant.save();
  return grant;
}

/** Creates a key for signing ID tokens. None are ever issued, but the provider requires a key. */
function neverUsedKeys(): NonNullable<Configuration['jwks']> {
  const { privateKey } = generateKeyPairSync('ed25519');
  return { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'Ed25519', use: 'sig' }] } as NonNullable<
    Configuration['jwks']
  >;
}

/**
 * The origin of a URI. Null for an app's own scheme: its origin would be the text `null`, which every sandboxed page
 * has too.
 */
function originOf(uri: string): string | null {
  return /^https?:/.test(uri) ? new URL(uri).origin : null;
}
