import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as openid from 'openid-client';
import { afterAll, beforeAll } from 'vitest';

type Registered = { issuer: string; clientId: string; secret: string; scope: string };

export type SampleApp = {
  /** The URL where its users begin. */
  url: string;
  callback: string;
  /** Enters the credentials after it is registered. */
  configure(registered: Registered): void;
  /** The token of the last user who returned with a code. */
  accessToken(): string;
};

/** A third party's app as its authors would write it: with a library, on its own server. */
export function useOauthApp(): SampleApp {
  let registered: Registered;
  let accessToken = '';
  const verifier = openid.randomPKCECodeVerifier();
  const config = async () => {
    const { issuer, clientId, secret } = registered;
    const auth = openid.ClientSecretPost(secret);
    const options = { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] } as const;
    return openid.discovery(new URL(issuer), clientId, undefined, auth, { ...options, execute: [...options.execute] });
  };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', app.url);
    if (url.pathname === '/callback') {
      const tokens = await openid
        .authorizationCodeGrant(await config(), url, { pkceCodeVerifier: verifier })
        .catch(() => null);
      accessToken = tokens?.access_token ?? '';
      response.setHeader('content-type', 'text/html');
      return response.end(`<!doctype html><title>App</title><p>${tokens ? 'You are in' : 'You said no'}</p>`);
    }
    if (url.pathname !== '/') return response.writeHead(204).end();
    const target = openid.buildAuthorizationUrl(await config(), {
      redirect_uri: app.callback,
      scope: registered.scope,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return response.writeHead(302, { location: target.href }).end();
  });
  const app: SampleApp = {
    url: '',
    callback: '',
    configure(given) {
      registered = given;
    },
    accessToken: () => accessToken,
  };
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    app.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    app.callback = `${app.url}/callback`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return app;
}
