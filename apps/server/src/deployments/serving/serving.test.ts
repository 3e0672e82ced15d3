import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Deployment, DeploymentArtifacts } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { sendBytes } from '../../testing/clients/raw-http.ts';
import { buildSettings, deployed, projectOf, visit } from '../../testing/samples/sample-deployments.ts';
import { inProject, type Place, putFile } from '../../testing/samples/sample-files.ts';
import { readProject } from '../../testing/samples/sample-projects.ts';
import { useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({ settings: buildSettings });
const script = `console.log(${JSON.stringify('words '.repeat(500))})`;
const files = {
  '/index.html': '<h1>Home</h1>',
  '/404.html': '<h1>Lost</h1>',
  '/about.html': 'About',
  '/docs/index.html': 'Docs',
  '/app-3f9a8b7c6d.js': script,
  '/plain.js': script,
  '/data.json': '{"a":1}',
  '/.env': 'SECRET=1',
  '/.well-known/security.txt': 'Contact: us',
  '/node_modules/x/index.js': 'x',
  '/ä ö/ü.txt': 'umlauts',
  '/50% #1/what?/index.html': 'Marks',
};
let place: Place;
let site: Deployment;
let live: string;
beforeAll(async () => {
  const made = await projectOf(service, files, undefined, { name: 'My Fine Site!' });
  place = made;
  const large = new Uint8Array(3_500_000).map((_, index) => (index * 7919) % 251);
  await inProject(place, 'PUT', '/files?path=/large.bin', {
    body: large,
    headers: { 'content-type': 'application/octet-stream' },
  });
  site = await deployed(place);
  live = (await readProject(service, made.user, made.projectId)).live_url ?? '';
});
const at = (path: string) => `${site.url}${path}`;

describe('a site', () => {
  test.each([
    ['/', 200, '<h1>Home</h1>', 'text/html; charset=utf-8'],
    ['/index.html', 200, '<h1>Home</h1>', 'text/html; charset=utf-8'],
    ['/about', 200, 'About', 'text/html; charset=utf-8'],
    ['/docs/', 200, 'Docs', 'text/html; charset=utf-8'],
    ['/data.json', 200, '{"a":1}', 'application/json; charset=utf-8'],
    ['/plain.js', 200, script, 'text/javascript; charset=utf-8'],
    ['/.well-known/security.txt', 200, 'Contact: us', 'text/plain; charset=utf-8'],
    ['/%C3%A4%20%C3%B6/%C3%BC.txt', 200, 'umlauts', 'text/plain; charset=utf-8'],
    ['/nowhere', 404, '<h1>Lost</h1>', 'text/html; charset=utf-8'],
    ['/.env', 404, '<h1>Lost</h1>', 'text/html; charset=utf-8'],
    ['/node_modules/x/index.js', 404, '<h1>Lost</h1>', 'text/html; charset=utf-8'],
    ['/../../etc/passwd', 404, '<h1>Lost</h1>', 'text/html; charset=utf-8'],
    ['/%00', 404, '<h1>Lost</h1>', 'text/html; charset=utf-8'],
  ])('answers %s with %i', async (path, status, text, type) => {
    const page = await visit(at(path));
    expect(page).toMatchObject({ status, text });
    expect(page.headers['content-type']).toBe(type);
    expect(page.headers['x-content-type-options']).toBe('nosniff');
    expect(page.headers['content-length']).toBe(String(page.body.length));
  });

  test('redirects a request for a directory to its path with a slash, with the query', async () => {
    const page = await visit(at('/docs?a=1'));
    expect(page).toMatchObject({ status: 308, headers: { location: '/docs/?a=1' } });
    const marks = await visit(at('/50%25%20%231/what%3F?a=1?&b=2'));
    expect(marks).toMatchObject({ status: 308, headers: { location: '/50%25%20%231/what%3F/?a=1?&b=2' } });
  });

  test('has each artifact at its URL, whatever its name', async () => {
    const { body } = await inProject<DeploymentArtifacts>(place, 'GET', `/deployments/${site.id}/artifacts`);
    const marks = body.artifacts.find(({ name }) => name === '50% #1/what?/index.html');
    expect((await visit(marks?.url ?? '')).text).toBe('Marks');
  });

  test('answers an undecodable path with 400, and other methods with 405', async () => {
    expect((await visit(at('/%zz'))).status).toBe(400);
    expect(await visit(at('/'), {}, 'POST')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });

  test('answers HEAD like GET, without the body', async () => {
    const page = await visit(at('/plain.js'), {}, 'HEAD');
    expect(page).toMatchObject({ status: 200, text: '', headers: { 'content-length': String(script.length) } });
  });

  test('sends text compressed as the client prefers, and each encoding has its own ETag', async () => {
    const [brotli, gzip, plain, refused] = await Promise.all(
      ['gzip, deflate, br', 'gzip', undefined, 'br;q=0, gzip;q=0.0'].map((accepted) =>
        visit(at('/plain.js'), accepted === undefined ? {} : { 'accept-encoding': accepted }),
      ),
    );
    if (!brotli || !gzip || !plain || !refused) throw new Error('no answer');
    expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
    expect(brotliDecompressSync(brotli.body).toString()).toBe(script);
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzip.body).toString()).toBe(script);
    expect([plain.text, refused.text]).toEqual([script, script]);
    expect(new Set([brotli, gzip, plain].map(({ headers }) => headers.etag)).size).toBe(3);
    expect(brotli.body.length).toBeLessThan(script.length / 5);
  });

  test('answers 304 to a client that already has the content', async () => {
    const first = await visit(at('/data.json'));
    const etag = first.headers.etag ?? '';
    for (const header of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      expect(await visit(at('/data.json'), { 'if-none-match': header })).toMatchObject({ status: 304, text: '' });
    }
    expect((await visit(at('/data.json'), { 'if-none-match': '"x"' })).status).toBe(200);
  });

  test('may be cached forever under a name that stands for one content, and must be revalidated otherwise', async () => {
    const forever = 'public, max-age=31536000, immutable';
    const again = 'public, max-age=0, must-revalidate';
    expect((await visit(`${live}/app-3f9a8b7c6d.js`)).headers['cache-control']).toBe(forever);
    expect((await visit(`${live}/plain.js`)).headers['cache-control']).toBe(again);
    expect((await visit(`${live}/`)).headers['cache-control']).toBe(again);
    expect((await visit(at('/plain.js'))).headers['cache-control']).toBe(forever);
  });

  test('sends large files as a whole and in ranges', async () => {
    const whole = await visit(at('/large.bin'));
    expect(whole.body.length).toBe(3_500_000);
    expect(whole.body[1_234_567]).toBe((1_234_567 * 7919) % 251);
    for (const [range, first, last] of [
      ['bytes=1000000-2500000', 1_000_000, 2_500_000],
      ['bytes=2097152-2097152', 2_097_152, 2_097_152],
      ['bytes=-5', 3_499_995, 3_499_999],
    ] as const) {
      const some = await visit(at('/large.bin'), { range });
      expect(some.status).toBe(206);
      expect(some.headers['content-range']).toBe(`bytes ${first}-${last}/3500000`);
      expect(some.body.equals(whole.body.subarray(first, last + 1)), range).toBe(true);
    }
    expect(await visit(at('/large.bin'), {}, 'HEAD')).toMatchObject({
      status: 200,
      text: '',
      headers: { 'content-length': '3500000' },
    });
    const part = await visit(at('/data.json'), { range: 'bytes=1-3' });
    expect(part).toMatchObject({ status: 206, text: '"a"', headers: { 'content-range': 'bytes 1-3/7' } });
    expect((await visit(at('/data.json'), { range: 'bytes=9-' })).status).toBe(416);
  });
});

describe('the addresses of a site', () => {
  test('are a host for the deployment, a host for the project, and a path', async () => {
    expect(live).toMatch(/^http:\/\/my-fine-site-[0-9a-z]{6}\.localhost:\d+$/);
    const { port } = new URL(site.url ?? '');
    const path = await visit(`http://localhost:${port}/d/${site.id}/docs`);
    expect(path).toMatchObject({ status: 308, headers: { location: `/d/${site.id}/docs/` } });
    expect((await visit(`http://localhost:${port}/d/${site.id}/docs/`)).text).toBe('Docs');
    expect((await visit(`http://localhost:${port}/d/${site.id}`)).text).toBe('<h1>Home</h1>');
  });

  test('by path share an origin, so their pages are isolated in an origin of their own, without cookies', async () => {
    const { port } = new URL(site.url ?? '');
    const page = await visit(`http://localhost:${port}/d/${site.id}/`);
    expect(page.headers['content-security-policy']).toMatch(/^sandbox(?!.*allow-same-origin)/);
    expect((await visit(at('/'))).headers['content-security-policy']).toBeUndefined();
  });

  test.each([
    'http://localhost',
    'http://nobody.localhost',
    'http://dep-00000000000000000000000000.localhost',
    'http://a.b.localhost',
  ])('that belong to nothing are 404: %s', async (url) => {
    const { port } = new URL(site.url ?? '');
    expect((await visit(`${url}:${port}/`)).status).toBe(404);
  });

  test('are refused if a request names several hosts, or a target without a leading slash', async () => {
    const { port, host } = new URL(site.url ?? '');
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket'];
    for (const lines of [
      [`GET http://${host}/ HTTP/1.1`, `Host: ${host}`],
      ['GET / HTTP/1.1', `Host: ${host}`, `Host: ${host}`],
      ['GET / HTTP/1.1', `Host: a@${host}`],
      [`GET http://${host}/ HTTP/1.1`, `Host: ${host}`, ...upgrade],
    ]) {
      expect((await sendBytes(`http://127.0.0.1:${port}`, `${lines.join('\r\n')}\r\n\r\n`)).status).toBe(400);
    }
  });

  test('use another listener than the API, without any of its routes', async () => {
    const { port } = new URL(site.url ?? '');
    expect((await visit(`http://localhost:${port}/v1/user`)).status).toBe(404);
    expect(new URL(service.url).port).not.toBe(port);
  });
});

test('a single-page app answers every unknown path with its page', async () => {
  const app = await projectOf(service, { '/index.html': 'App', '/bottega.json': '{"spa": true}', '/a.txt': 'a' });
  const done = await deployed(app);
  expect(await visit(`${done.url}/some/route?x=1`)).toMatchObject({ status: 200, text: 'App' });
  expect((await visit(`${done.url}/a.txt`)).text).toBe('a');
});

test('a site of 300 files is deployed unchanged', async () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`/p/${index}.html`, `page ${index}`]));
  const app = await projectOf(service, { ...many, '/index.html': 'x' });
  await putFile(app, { path: '/logo.png', content: 'iVBORw0KGgo=', encoding: 'base64' });
  const done = await deployed(app);
  expect((await visit(`${done.url}/p/299`)).text).toBe('page 299');
  expect((await visit(`${done.url}/logo.png`)).headers['content-type']).toBe('image/png');
});
