import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { call } from '../../testing/clients/http-client.ts';
import { pageBrowser } from '../../testing/clients/page-browser.ts';
import { authorize } from '../../testing/samples/oauth-flow.ts';
import { callback, type RegisteredApp, registerApp } from '../../testing/samples/oauth-tokens.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
let user: TestUser;
let confidential: RegisteredApp;
let forPhones: RegisteredApp;
beforeAll(async () => {
  user = await service.createUser();
  confidential = await registerApp(service, user);
  forPhones = await registerApp(service, user, { type: 'public', redirect_uris: ['com.example.phone:/callback'] });
});

const scope = 'read:projects write:files';
const isAlive = async (token: string) => (await call('GET', `${service.url}/v1/projects`, { token })).status === 200;
const byBrowser = (url: URL) => authorize(pageBrowser(service.url), user, url.href).then(({ back }) => back);

type Kind = { app: () => RegisteredApp; redirectUri: string; pkce: boolean; basic?: boolean };
const kinds: [string, Kind][] = [
  ['a confidential app without PKCE', { app: () => confidential, redirectUri: callback, pkce: false }],
  ['a confidential app with PKCE', { app: () => confidential, redirectUri: callback, pkce: true }],
  ['a confidential app by Basic', { app: () => confidential, redirectUri: callback, pkce: true, basic: true }],
  ['a public app with PKCE', { app: () => forPhones, redirectUri: 'com.example.phone:/callback', pkce: true }],
];

describe.each(kinds)('openid-client, as %s,', (_name, { app, redirectUri, pkce, basic }) => {
  test('discovers, authorizes, refreshes, introspects and revokes', async () => {
    const { client_id, client_secret } = app();
    const byForm = client_secret ? openid.ClientSecretPost(client_secret) : openid.None();
    const config = await openid.discovery(
      new URL(service.url),
      client_id,
      undefined,
      basic ? openid.ClientSecretBasic(client_secret) : byForm,
      { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
    );
    const verifier = openid.randomPKCECodeVerifier();
    const state = openid.randomState();
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope,
      state,
      ...(pkce && {
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }),
    });
    const back = await byBrowser(url);
    const checks = { expectedState: state, ...(pkce && { pkceCodeVerifier: verifier }) };
    const tokens = await openid.authorizationCodeGrant(config, back, checks);
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope });
    expect(await isAlive(tokens.access_token)).toBe(true);

    const fresh = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(fresh.refresh_token).not.toBe(tokens.refresh_token);
    expect(await isAlive(fresh.access_token)).toBe(true);
    expect(await openid.tokenIntrospection(config, fresh.access_token)).toMatchObject({
      active: true,
      client_id,
      scope,
      sub: user.id,
      token_type: 'Bearer',
      aud: 'bottega',
      iss: service.url,
    });
    await openid.tokenRevocation(config, fresh.refresh_token ?? '');
    expect(await openid.tokenIntrospection(config, fresh.access_token)).toEqual({ active: false });
    expect(await isAlive(fresh.access_token)).toBe(false);
    await expect(openid.refreshTokenGrant(config, fresh.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });
});

describe.each(kinds)('oauth4webapi, as %s,', (_name, { app, redirectUri, pkce, basic }) => {
  const insecure = { [oauth.allowInsecureRequests]: true };

  test('discovers, authorizes, refreshes, introspects and revokes', async () => {
    const { client_id, client_secret } = app();
    const client: oauth.Client = { client_id };
    const byForm = client_secret ? oauth.ClientSecretPost(client_secret) : oauth.None();
    const clientAuth = basic ? oauth.ClientSecretBasic(client_secret) : byForm;
    const issuer = new URL(service.url);
    const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    const as = await oauth.processDiscoveryResponse(issuer, found);
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const url = new URL(as.authorization_endpoint ?? '');
    url.search = new URLSearchParams({
      client_id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope,
      state,
      ...(pkce && {
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }),
    }).toString();
    const params = oauth.validateAuthResponse(as, client, await byBrowser(url), state);
    const proof = pkce ? verifier : oauth.nopkce;
    const exchanged = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      clientAuth,
      params,
      redirectUri,
      proof,
      insecure,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, exchanged);
    expect(await isAlive(tokens.access_token)).toBe(true);

    const refreshed = await oauth.refreshTokenGrantRequest(
      as,
      client,
      clientAuth,
      tokens.refresh_token ?? '',
      insecure,
    );
    const fresh = await oauth.processRefreshTokenResponse(as, client, refreshed);
    const introspect = async (token: string) =>
      oauth.processIntrospectionResponse(
        as,
        client,
        await oauth.introspectionRequest(as, client, clientAuth, token, insecure),
      );
    expect(await introspect(fresh.access_token)).toMatchObject({ active: true, scope });
    const revoked = await oauth.revocationRequest(as, client, clientAuth, fresh.access_token, insecure);
    await oauth.processRevocationResponse(revoked);
    expect(await introspect(fresh.access_token)).toEqual({ active: false });
    expect(await isAlive(fresh.access_token)).toBe(false);
  });
});

test('the metadata name what is supported, and nothing of OpenID', async () => {
  const { status, body, headers } = await call('GET', `${service.url}/.well-known/oauth-authorization-server`);
  expect(status).toBe(200);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(body).toMatchObject({
    issuer: service.url,
    authorization_endpoint: `${service.url}/oauth/authorize`,
    token_endpoint: `${service.url}/oauth/token`,
    revocation_endpoint: `${service.url}/oauth/revoke`,
    introspection_endpoint: `${service.url}/oauth/introspect`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  });
  expect(Object.keys(body).filter((name) => /id_token|userinfo|jwks|subject|claim/.test(name))).toEqual([]);
});
