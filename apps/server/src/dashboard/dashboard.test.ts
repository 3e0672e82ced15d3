import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerErrorHandling } from '../foundation/http/errors.ts';
import type { App } from '../foundation/http/typed-app.ts';
import { call } from '../testing/http-client.ts';
import { useTestService } from '../testing/test-service.ts';
import { loadDashboard } from './built-files.ts';
import { dashboardRoutes, lostInDashboard } from './dashboard.routes.ts';

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const folder = mkdtempSync(join(tmpdir(), 'bottega-dashboard-'));
const app: App = fastify();
const bare: App = fastify();
afterAll(() => Promise.all([app.close(), bare.close(), rmSync(folder, { recursive: true })]));

beforeAll(() => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<meta nonce="__NONCE__"><script src="/assets/a-1.js"></script>');
  writeFileSync(join(folder, 'assets/a-1.js'), 'plain');
  writeFileSync(join(folder, 'assets/a-1.js.br'), 'in brotli');
  writeFileSync(join(folder, 'assets/a-1.js.gz'), 'in gzip');
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>');
  registerErrorHandling(app);
  registerErrorHandling(bare);
  dashboardRoutes(app, loadDashboard(folder));
  dashboardRoutes(bare, loadDashboard(join(folder, 'nothing')));
});

describe('the page', () => {
  test.each([
    '/',
    '/sign-in',
    '/projects',
    '/projects/prj_1/files?path=/a',
    '/invitations/abc',
    '/settings/keys',
    '/webhooks/whk_1/figures',
  ])('is at the address of every screen: %s', async (url) => {
    const answer = await app.inject({ url, headers: html });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('runs scripts of ours only, and styles of ours or with a nonce that is never the same twice', async () => {
    const [one, two] = await Promise.all([0, 1].map(() => app.inject({ url: '/', headers: html })));
    const policy = String(one?.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; ");
    expect(policy).not.toContain('unsafe');
    const nonce = /'nonce-([\w-]{22})'/.exec(policy)?.[1] ?? '';
    expect(one?.body).toContain(`<meta nonce="${nonce}">`);
    expect(two?.body).not.toContain(nonce);
  });

  test.each(['/join/ses_1?invite=abc', '/invitations/abc'])(
    'Platform API, Collaboration session, invite_link: %s is the page for whoever opens it',
    async (url) => {
      for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
        const answer = await app.inject({ url, headers });
        expect(answer.statusCode).toBe(200);
        expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      }
    },
  );

  test('is for browsers only: whoever asks for something else gets the documented 404', async () => {
    for (const accept of ['application/json', '*/*']) {
      const answer = await app.inject({ url: '/projects', headers: { accept } });
      expect(answer.statusCode).toBe(404);
      expect(answer.json().error.code).toBe('NOT_FOUND');
    }
    expect((await app.inject({ url: '/' })).headers.location).toBe('/docs/');
  });

  test('is a 404 at any other address that a browser opens, and the documented 404 for whoever else asks', async () => {
    const lost = fastify() as App;
    const found = loadDashboard(folder);
    registerErrorHandling(lost, undefined, found ? lostInDashboard(found) : undefined);
    dashboardRoutes(lost, found);
    const answer = await lost.inject({ url: '/nowhere?x=1', headers: html });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(answer.headers).toMatchObject({ vary: 'Accept', 'cache-control': 'no-store' });
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    for (const [method, url, headers] of [
      ['GET', '/nowhere', {}],
      ['POST', '/nowhere', html],
      ['GET', '/v1/nowhere', html],
      ['GET', '/git/nowhere', html],
    ] as const) {
      expect((await lost.inject({ method, url, headers })).json().error.code).toBe('NOT_FOUND');
    }
    await lost.close();
  });

  test('without a build there is none, and / leads to the documentation', async () => {
    expect((await bare.inject({ url: '/', headers: html })).headers.location).toBe('/docs/');
    expect((await bare.inject({ url: '/projects', headers: html })).statusCode).toBe(404);
  });
});

describe('a file', () => {
  test('with a hash in its name is kept for ever, compressed as the browser can', async () => {
    const get = (encoding: string) => app.inject({ url: '/assets/a-1.js', headers: { 'accept-encoding': encoding } });
    const [br, gz, plain, none] = await Promise.all(['gzip, deflate, br', 'gzip', 'identity', 'br;q=0'].map(get));
    expect(br?.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'Accept-Encoding',
    });
    expect([br?.body, gz?.body, plain?.body, none?.body]).toEqual(['in brotli', 'in gzip', 'plain', 'plain']);
    expect(plain?.headers['content-encoding']).toBeUndefined();
  });

  test('that a later build has taken away is a 404', async () => {
    const late = fastify() as App;
    registerErrorHandling(late);
    writeFileSync(join(folder, 'assets/late.js'), 'plain');
    dashboardRoutes(late, loadDashboard(folder));
    rmSync(join(folder, 'assets/late.js'));
    expect((await late.inject({ url: '/assets/late.js' })).statusCode).toBe(404);
    await late.close();
  });

  test.each(['/assets/none.js', '/assets/..%2f..%2fpackage.json', '/assets/../index.html', '/assets/a-1.js.br'])(
    'that was not built is a 404: %s',
    async (url) => {
      expect((await app.inject({ url })).statusCode).toBe(404);
    },
  );
});

describe('beside the API', () => {
  const service = useTestService({ role: 'api' });

  test.each(['/v1/nothing', '/api/v1/nothing', '/git/x', '/oauth/nothing', '/docs/nothing', '/v1'])(
    'no page stands at %s',
    async (path) => {
      const answer = await call('GET', `${service.url}${path}`, { headers: html });
      expect(answer.status).not.toBe(200);
      expect(answer.text).not.toContain('<div id="root">');
    },
  );
});
