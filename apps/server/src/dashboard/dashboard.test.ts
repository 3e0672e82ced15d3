import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerErrorHandling } from '../foundation/http/request/errors.ts';
import type { App } from '../foundation/http/request/typed-app.ts';
import { call } from '../testing/clients/http-client.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { loadDashboard } from './built-files.ts';
import { dashboardNotFound, dashboardRoutes } from './dashboard.routes.ts';
import { appsSourceOf } from './page-policy.ts';

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const folder = mkdtempSync(join(tmpdir(), 'bottega-dashboard-'));
const apps = () => appsSourceOf((name) => `https://${name}.apps.example.com:8443`);
const app: App = fastify();
const bare: App = fastify();
afterAll(() => Promise.all([app.close(), bare.close(), rmSync(folder, { recursive: true })]));

beforeAll(() => {
  mkdirSync(join(folder, 'assets'));
  const page =
    '<meta nonce="__NONCE__"><!--preloads--><script src="/assets/a-1.js"></script><div data-frame="__FRAME__"><!--list--><!--given-->';
  writeFileSync(join(folder, 'index.html'), page);
  const screens = {
    'projects/projects-screen.tsx': ['/assets/list.js', '/assets/list.css'],
    'overview/overview-screen.tsx': ['/assets/overview.js'],
  };
  writeFileSync(join(folder, 'screens.json'), JSON.stringify(screens));
  writeFileSync(join(folder, 'assets/a-1.js'), 'plain');
  writeFileSync(join(folder, 'assets/a-1.js.br'), 'in brotli');
  writeFileSync(join(folder, 'assets/a-1.js.gz'), 'in gzip');
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>');
  registerErrorHandling(app);
  registerErrorHandling(bare);
  dashboardRoutes(app, loadDashboard(folder), apps);
  dashboardRoutes(bare, loadDashboard(join(folder, 'nothing')), apps);
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

  test('runs only scripts of the service, and only styles of the service or with a nonce that is never reused', async () => {
    const [one, two] = await Promise.all([0, 1].map(() => app.inject({ url: '/', headers: html })));
    const policy = String(one?.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; ");
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("frame-src 'self' https://*.apps.example.com:8443;");
    const nonce = /'nonce-([\w-]{22})'/.exec(policy)?.[1] ?? '';
    expect(one?.body).toContain(`<meta nonce="${nonce}">`);
    expect(two?.body).not.toContain(nonce);
  });

  test('names the code and the data of its screen, so that a browser requests both at once', async () => {
    const headers = { ...html, cookie: 'bottega_session=x' };
    const list = (await app.inject({ url: '/projects', headers })).body;
    expect(list).toContain('<link rel="modulepreload" crossorigin href="/assets/list.js">');
    expect(list).toContain('<link rel="preload" as="style" crossorigin href="/assets/list.css">');
    expect(list).toContain('<link rel="preload" as="fetch" crossorigin href="/v1/auth/session">');
    expect(list).toContain('href="/v1/projects?sort=updated_at&amp;order=desc&amp;page=1&amp;limit=20"');
    expect(list).toContain('data-frame="inside"');
    for (const url of ['/projects/prj_1', '/projects/prj_1/overview', '/projects/prj_1?x=1']) {
      const { body } = await app.inject({ url, headers });
      expect(body, url).toContain('href="/assets/overview.js"');
      for (const part of ['', '/files', '/commits?limit=5'])
        expect(body, url).toContain(`href="/v1/projects/prj_1${part}"`);
    }
    const commit = (await app.inject({ url: '/projects/prj_1/history/0abc', headers })).body;
    expect(commit).toContain('href="/v1/projects/prj_1/commits/0abc?diffs=20"');
    const request = (await app.inject({ url: '/projects/prj_1/merge-requests/7?tab=changes', headers })).body;
    for (const part of ['', '/threads', '/diff?diffs=10']) {
      expect(request).toContain(`href="/v1/projects/prj_1/merge-requests/7${part}"`);
    }
    const conversation = (await app.inject({ url: '/projects/prj_1/merge-requests/7', headers })).body;
    expect(conversation).toContain('href="/v1/projects/prj_1/merge-requests/7/reviews"');
    expect(conversation).not.toContain('/diff');
    const formerly = (await app.inject({ url: '/projects/prj_1/merge-requests/7?tab=changes&from=1&to=2', headers }))
      .body;
    expect(formerly).not.toContain('/diff');
    const unknown = await app.inject({ url: '/projects/prj_1/merge-requests/7?tab=__proto__', headers });
    expect(unknown.statusCode).toBe(200);
    // A URL cannot put anything but a URL into the page.
    const odd = (await app.inject({ url: '/projects/prj_1"><script>/files', headers })).body;
    expect(odd).not.toContain('prj_1');
  });

  test('contains the list of projects, readable before its script has loaded, and as data for the script', async () => {
    const url = '/v1/projects?sort=updated_at&order=desc&page=1&limit=20';
    const answering = fastify() as App;
    answering.get('/v1/auth/session', () => ({ csrf_token: 'x' }));
    answering.get('/v1/user/stars', () => ({ project_ids: ['prj_1'] }));
    answering.get('/v1/projects', ({ headers: { cookie } }) => ({
      data: [{ id: 'prj_1', name: '<b>$& __NONCE__', description: `</script>${cookie}` }],
    }));
    dashboardRoutes(answering, loadDashboard(folder), apps);
    const { body } = await answering.inject({ url: '/projects', headers: { ...html, cookie: 'bottega_session=x' } });
    expect(body).toContain('<a href="/projects/prj_1/overview">&lt;b&gt;$&amp; __NONCE__</a>');
    const given = new RegExp(`data-answer="${url.replaceAll('&', '&amp;').replace('?', '\\?')}">(.*?)</script>`).exec(
      body,
    );
    expect(JSON.parse(given?.[1] ?? '{}').data[0].description).toBe('</script>bottega_session=x');
    expect(body).toContain('data-answer="/v1/auth/session">{"csrf_token":"x"}</script>');
    expect(body).toContain('data-answer="/v1/user/stars">{"project_ids":["prj_1"]}</script>');
    expect(body).not.toContain('as="fetch"');
    await answering.close();
  });

  test('requests nothing that only signed-in users can read', async () => {
    const { body } = await app.inject({ url: '/projects', headers: html });
    expect(body).not.toContain('/v1/');
    expect(body).toContain('data-frame="front-door"');
  });

  test.each(['/join/ses_1?invite=abc', '/invitations/abc'])(
    'Platform API, Collaboration session, invite_link: %s is the page for everybody who opens it',
    async (url) => {
      for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
        const answer = await app.inject({ url, headers });
        expect(answer.statusCode).toBe(200);
        expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      }
    },
  );

  test('is for browsers only: other clients get the documented 404', async () => {
    for (const accept of ['application/json', '*/*']) {
      const answer = await app.inject({ url: '/projects', headers: { accept } });
      expect(answer.statusCode).toBe(404);
      expect(answer.json().error.code).toBe('NOT_FOUND');
    }
    expect((await app.inject({ url: '/' })).headers.location).toBe('/docs/');
  });

  test('is a 404 at any other address that a browser opens, and the documented 404 for other clients', async () => {
    const app = fastify() as App;
    const found = loadDashboard(folder);
    registerErrorHandling(app, undefined, found ? dashboardNotFound(found, apps) : undefined);
    dashboardRoutes(app, found, apps);
    const answer = await app.inject({ url: '/nowhere?x=1', headers: html });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(answer.headers).toMatchObject({ vary: 'Accept', 'cache-control': 'no-store' });
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    for (const [method, url, headers] of [
      ['GET', '/nowhere', {}],
      ['POST', '/nowhere', html],
      ['GET', '/v1/nowhere', html],
      ['GET', '/git/nowhere', html],
    ] as const) {
      expect((await app.inject({ method, url, headers })).json().error.code).toBe('NOT_FOUND');
    }
    await app.close();
  });

  test('does not exist without a build, and then / leads to the documentation', async () => {
    expect((await bare.inject({ url: '/', headers: html })).headers.location).toBe('/docs/');
    expect((await bare.inject({ url: '/projects', headers: html })).statusCode).toBe(404);
  });
});

test('the frame of previews has no origin, loads nothing from other hosts, and can be embedded only by our own pages', async () => {
  const answer = await app.inject({ url: '/preview-frame' });
  expect(answer.statusCode).toBe(200);
  const policy = String(answer.headers['content-security-policy']).split('; ');
  expect(policy).toEqual(
    expect.arrayContaining(['sandbox allow-scripts', "default-src 'none'", 'img-src data:', "frame-ancestors 'self'"]),
  );
  expect(policy.join()).not.toMatch(/same-origin|https?:|connect-src|'self'(?!$)(?!,)/);
  expect(answer.headers['x-frame-options']).toBe('SAMEORIGIN');
});

describe('a file', () => {
  test('with a hash in its name is cached forever, compressed as the browser accepts it', async () => {
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

  test('that a later build has removed is a 404', async () => {
    const late = fastify() as App;
    registerErrorHandling(late);
    writeFileSync(join(folder, 'assets/late.js'), 'plain');
    dashboardRoutes(late, loadDashboard(folder), apps);
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
    'no page exists at %s',
    async (path) => {
      const answer = await call('GET', `${service.url}${path}`, { headers: html });
      expect(answer.status).not.toBe(200);
      expect(answer.text).not.toContain('<div id="root">');
    },
  );
});
