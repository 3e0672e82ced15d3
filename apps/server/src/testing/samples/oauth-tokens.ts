import { randomBytes } from 'node:crypto';
import type { Scope } from '@bottega/contract';
import { recordDigest } from '../../identity/oauth/adapter.ts';
import { call } from '../clients/http-client.ts';
import type { TestService, TestUser } from '../service/test-service.ts';

export type RegisteredApp = { id: string; client_id: string; client_secret: string; name: string };

export const callback = 'https://app.example.com/callback';

export async function registerApp(
  service: Pick<TestService, 'url'>,
  owner: Pick<TestUser, 'key'>,
  input: { name?: string; type?: 'confidential' | 'public'; redirect_uris?: string[] } = {},
): Promise<RegisteredApp> {
  const json = { name: 'Drawing Board', redirect_uris: [callback], ...input };
  const answer = await call<RegisteredApp>('POST', `${service.url}/v1/user/oauth-apps`, { token: owner.key, json });
  if (answer.status !== 201) throw new Error(`no app: ${answer.text}`);
  return answer.body;
}

/** The URL to which the app sends its user's browser. */
export function authorizeUrl(
  { url }: Pick<TestService, 'url'>,
  app: Pick<RegisteredApp, 'client_id'>,
  params: Record<string, string> = {},
): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: app.client_id,
    redirect_uri: callback,
    scope: 'read:projects',
    state: 'state',
    ...params,
  });
  return `${url}/oauth/authorize?${query}`;
}

/** Posts a form to one of the endpoints that apps call. */
export const postForm = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  call('POST', url, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });

/** As documented: the secret is in the form. */
export const exchange = ({ url }: Pick<TestService, 'url'>, app: RegisteredApp, fields: Record<string, string>) =>
  postForm(`${url}/oauth/token`, {
    grant_type: 'authorization_code',
    client_id: app.client_id,
    client_secret: app.client_secret,
    redirect_uri: callback,
    ...fields,
  });

let tokens = 0;

/** Issues a token without the flow: for tests of what a token can do. */
export async function issueAccessToken(
  service: TestService,
  userId: string,
  scopes: Scope[],
): Promise<{ token: string; appId: string; grantId: string }> {
  const { db } = service;
  const text = String(++tokens).padStart(26, '0');
  const [appId, grantId, token] = [`app_${text}`, `grt_${text}`, randomBytes(32).toString('base64url')];
  const expires_at = new Date(Date.now() + 3_600_000);
  await db
    .insertInto('oauth_apps')
    .values({ id: appId, user_id: userId, name: 'App', type: 'confidential', redirect_uris: [callback] })
    .execute();
  await db.insertInto('oauth_consents').values({ user_id: userId, app_id: appId, scopes }).execute();
  await db
    .insertInto('oauth_grants')
    .values({ id: grantId, user_id: userId, app_id: appId, scopes, expires_at })
    .execute();
  await db
    .insertInto('oauth_records')
    .values({
      digest: recordDigest('AccessToken', token),
      model: 'AccessToken',
      grant_id: grantId,
      payload: JSON.stringify({ scope: scopes.join(' '), accountId: userId, clientId: appId, grantId }),
      expires_at,
    })
    .execute();
  return { token, appId, grantId };
}
