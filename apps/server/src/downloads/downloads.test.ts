import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerErrorHandling } from '../foundation/http/request/errors.ts';
import type { App } from '../foundation/http/request/typed-app.ts';
import { version } from '../foundation/version.ts';
import { createDownloads } from './slice.ts';

const folder = mkdtempSync(join(tmpdir(), 'bottega-downloads-'));
const apps: App[] = [];
afterAll(() => Promise.all([...apps.map((app) => app.close()), rmSync(folder, { recursive: true })]));

const content = Buffer.from('packed');
const sha256 = createHash('sha256').update(content).digest('hex');
const file = { name: 'bottega-cli.tgz', package: '@bottega/cli' };

function appWith(name: string, listed: unknown): App {
  const built = join(folder, name);
  mkdirSync(built);
  if (listed) writeFileSync(join(built, 'index.json'), JSON.stringify(listed));
  writeFileSync(join(built, file.name), content);
  const app: App = fastify();
  registerErrorHandling(app);
  createDownloads(built).otherRoutes?.(app);
  apps.push(app);
  return app;
}

let app: App;
beforeAll(() => {
  app = appWith('built', [{ ...file, version }]);
});

describe('a download', () => {
  test('is listed with its version, size and checksum', async () => {
    expect(await app.inject('/downloads')).toMatchObject({ statusCode: 308, headers: { location: '/downloads/' } });
    const answer = await app.inject('/downloads/');
    expect(answer.json()).toEqual({ files: [{ ...file, version, size: content.length, sha256 }] });
    expect((await app.inject('/downloads/SHA256SUMS')).body).toBe(`${sha256}  bottega-cli.tgz\n`);
  });

  test('is sent unchanged, and sent again only if it has changed', async () => {
    const url = '/downloads/bottega-cli.tgz';
    const answer = await app.inject(url);
    expect([answer.statusCode, answer.rawPayload]).toEqual([200, content]);
    const headers = { 'content-type': 'application/gzip', 'cache-control': 'no-cache', etag: `"${sha256}"` };
    expect(answer.headers).toMatchObject(headers);
    const head = await app.inject({ method: 'HEAD', url });
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, String(content.length), '']);
    const again = await app.inject({ url, headers: { 'if-none-match': `"${sha256}"` } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  test('returns 404 if it is not listed, whatever the folder contains', async () => {
    for (const path of ['index.json', 'nothing', '..%2fbuilt%2findex.json']) {
      expect((await app.inject(`/downloads/${path}`)).json().error.code).toBe('NOT_FOUND');
    }
  });

  test.each([
    ['was never built', null],
    ['was built for another version', [{ ...file, version: '0.0.1' }]],
  ])('that %s returns a 404 that says what to do', async (what, listed) => {
    const bare = appWith(what, listed);
    for (const path of ['/downloads/', '/downloads/SHA256SUMS', '/downloads/bottega-cli.tgz']) {
      const answer = await bare.inject(path);
      expect(answer.statusCode).toBe(404);
      expect(answer.json().error.message).toContain('npm run build');
    }
  });
});
