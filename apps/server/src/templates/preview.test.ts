import { beforeAll, describe, expect, test } from 'vitest';
import { expectError, expectRateHeaders } from '../testing/clients/expect-error.ts';
import { call } from '../testing/clients/http-client.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';
import { brokenMarkup } from './markup.fixture.ts';
import { listTemplates, onTemplates, publish } from './templates.fixture.ts';

const service = useTestService();
const missing = { status: 404, code: 'NOT_FOUND' } as const;
const site = { '/index.html': '<!doctype html><p>Mine</p>', '/deep/index.html': '<p>Deep</p>', '/a.js': 'alert(1)' };

let user: TestUser;
let admin: TestUser;
beforeAll(async () => {
  user = await service.createUser();
  admin = await service.createUser({ isAdmin: true });
});

const open = (url: string) => call<string>('GET', url);

describe('the preview of a built-in template', () => {
  test('opens without a credential, is well-formed, and cannot reach the service from its sandbox', async () => {
    for (const { id, preview_url: url } of await listTemplates(service, user)) {
      const answer = await open(url);
      expect(answer.status, id).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(brokenMarkup(answer.text), id).toBeNull();
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^sandbox allow-scripts; default-src 'none'; script-src \S+;/);
      expect(policy).not.toContain('allow-same-origin');
      expect(policy).toContain(`script-src ${service.url}/templates/${id}/preview/;`);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expectRateHeaders(answer.headers);
    }
  });

  test('is the site itself, with all its files, if the template is a static site', async () => {
    const base = `${service.url}/templates/static-site/preview/`;
    const page = await open(base);
    expect(page.text).toContain('<title>Static site</title>');
    for (const [, target = ''] of page.text.matchAll(/(?:href|src)="([^"#]+)"/g)) {
      expect((await open(new URL(target, base).href)).status, target).toBe(200);
    }
    expect((await open(`${base}style.css`)).headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect((await open(`${base}script.js`)).headers.get('access-control-allow-origin')).toBe('*');
    for (const path of [
      'nothing.html',
      '../bottega.json',
      '%2e%2e/bottega.json',
      'README.md',
      '%00',
      '..%2fREADME.md',
    ]) {
      expect((await open(`${base}${path}`)).status, path).toBe(404);
    }
  });

  test('is a page about the template, with README and files but no script, if it is no static site', async () => {
    const { text } = await open(`${service.url}/templates/node-api/preview/`);
    expect(text).toContain('<h1>Node HTTP API</h1>');
    expect(text).toContain('<code>src/router.js</code>');
    expect(text).toContain('<summary>src/router.js <small>');
    expect(text).toContain('export function createRouter()');
    expect(text).not.toContain('<script');
    expectError(await open(`${service.url}/templates/node-api/preview/package.json`), missing);
  });

  test('redirects from its address without a slash at the end', async () => {
    const answer = await open(`${service.url}/templates/empty/preview`);
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe('/templates/empty/preview/');
  });
});

test('a preview counts as a request, and refuses a bad credential like any other route', async () => {
  const url = `${service.url}/templates/empty/preview/`;
  const [one, other] = [await open(url), await open(url)];
  const remaining = (answer: { headers: Headers }) => Number(answer.headers.get('x-ratelimit-remaining'));
  expect(remaining(other)).toBe(remaining(one) - 1);
  expectError(await call('GET', url, { token: 'bad' }), { status: 401, code: 'AUTHENTICATION_ERROR' });
});

test('an unknown template has no preview', async () => {
  for (const id of ['nothing', 'tpl_00000000000000000000000000', '__proto__', '%00']) {
    expectError(await open(`${service.url}/templates/${id}/preview/`), missing);
  }
});

describe('the preview of a public template of a user', () => {
  test('shows its page unchanged, in the same sandbox', async () => {
    const { template } = await publish(service, admin, site, { visibility: 'public' });
    const answer = await open(template.preview_url);
    expect(answer.text).toBe(site['/index.html']);
    expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox allow-scripts; default-src 'none'/);
    expect((await open(`${template.preview_url}deep/`)).text).toBe(site['/deep/index.html']);
    expect((await open(`${template.preview_url}deep`)).text).toBe(site['/deep/index.html']);
  });

  test('escapes HTML in its name, description, tags, README and file names', async () => {
    const evil = '<img src=x onerror=alert(1)>';
    const readme = `# ${evil}\n\n[x](javascript:alert(1)) [y](https://e.example/"onclick="z) **${evil}** \`${evil}\`\n`;
    const { template } = await publish(
      service,
      admin,
      { '/README.md': readme, '/x"><b>.txt': evil },
      { visibility: 'public', name: evil, description: evil, tags: [evil] },
    );
    const { text } = await open(template.preview_url);
    expect(brokenMarkup(text)).toBeNull();
    expect(text).not.toMatch(/<img|<b>|href="javascript:|onclick="z/);
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });

  test('shows the newest version after the template was published again', async () => {
    const { template } = await publish(service, admin, site, { visibility: 'public' });
    const { template: other } = await publish(service, admin, { '/index.html': '<p>Two</p>' });
    const source = await service.db
      .selectFrom('templates')
      .select('project_id')
      .where('id', '=', other.id)
      .executeTakeFirst();
    expect((await open(template.preview_url)).text).toContain('Mine');
    await onTemplates(service, admin, ['POST', `/${template.id}/versions`, { project_id: source?.project_id }]);
    expect((await open(template.preview_url)).text).toBe('<p>Two</p>');
  });

  test('is a page about the template if it has a build of its own', async () => {
    const files = { ...site, '/bottega.json': '{"build": "make", "output": "."}' };
    const { template } = await publish(service, admin, files, { visibility: 'public' });
    expect((await open(template.preview_url)).text).toContain('4 files');
  });
});

describe('the preview of a private template', () => {
  test('opens at the address that its author was given, and at no other', async () => {
    const { template } = await publish(service, user, site);
    const page = await open(template.preview_url);
    expect(page.text).toBe(site['/index.html']);
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect((await open(`${template.preview_url}a.js`)).text).toBe(site['/a.js']);
    const { template: other } = await publish(service, user, site);
    const pass = template.preview_url.split('/').at(-2) ?? '';
    const base = `${service.url}/templates/${template.id}/preview/`;
    const wrong = `${pass.slice(0, -1)}${pass.endsWith('A') ? 'B' : 'A'}`;
    for (const url of [base, `${base}index.html`, `${base}${wrong}/`, `${base}~zzzz.${'A'.repeat(43)}/`, `${base}~/`]) {
      expectError(await open(url), missing);
    }
    expectError(await open(`${service.url}/templates/${other.id}/preview/${pass}/`), missing);
  });

  test('has an address without a pass for a key that may not read files', async () => {
    const { template } = await publish(service, user, site);
    const { key } = await service.createKey(user.id, { scopes: ['read:user'] });
    const { body } = await onTemplates(service, { key }, ['GET', `/${template.id}`]);
    expect(body.preview_url).toBe(`${service.url}/templates/${template.id}/preview/`);
  });
});
