import { allScopes, scopeMeanings } from '@bottega/contract';

/** What the guard requires for a route: its `config.access`, and whether an app's token is accepted. */
export type RouteAccess = { needs: string; notForApps: boolean };

const bearer = {
  type: 'http',
  scheme: 'bearer',
  description: 'An API key (`btg_live_…`), a JWT signed by a registered service, or an OAuth app’s access token',
};

const session = {
  type: 'apiKey',
  in: 'cookie',
  name: 'bottega_session',
  description:
    'The cookie of a browser session (`__Host-bottega_session` over HTTPS). Requests that change data also ' +
    'require the `X-CSRF-Token` header.',
};

export function securitySchemes(publicUrl: string): Record<string, unknown> {
  const scopes = Object.fromEntries(allScopes.map((scope) => [scope, scopeMeanings[scope]]));
  const flow = {
    authorizationUrl: `${publicUrl}/oauth/authorize`,
    tokenUrl: `${publicUrl}/oauth/token`,
    refreshUrl: `${publicUrl}/oauth/token`,
    scopes,
  };
  const description = 'An app that acts for a user within the granted scopes';
  return { bearer, oauth2: { type: 'oauth2', description, flows: { authorizationCode: flow } }, session };
}

/** The scopes that a restricted credential needs. In OpenAPI, only a security scheme of type oauth2 can list scopes. */
export const scopesOf = ({ needs }: RouteAccess): string[] =>
  ['public', 'anyone', 'session', 'signed-in', 'admin'].includes(needs) ? [] : [needs];

/** A session has every scope, so none is listed for it. */
export function securityOf(access: RouteAccess): Record<string, string[]>[] {
  const { needs, notForApps } = access;
  if (needs === 'public' || needs === 'anyone') return [];
  if (needs === 'session') return [{ session: [] }];
  const byApp = notForApps || needs === 'admin' ? [] : [{ oauth2: scopesOf(access) }];
  return [{ bearer: [] }, ...byApp, { session: [] }];
}

export function inWords({ needs, notForApps }: RouteAccess): string {
  if (needs === 'public' || needs === 'anyone') return 'Requires no credential.';
  if (needs === 'session') return 'Requires a browser session. API keys and tokens are not accepted.';
  if (needs === 'admin') return 'Requires an administrator whose credential has all scopes.';
  const scope = needs === 'signed-in' ? 'Requires a credential with any scope.' : `Requires the \`${needs}\` scope.`;
  return notForApps ? `${scope} Tokens of OAuth apps are not accepted.` : scope;
}
