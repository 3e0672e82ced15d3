import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerErrorHandling } from '../foundation/http/request/errors.ts';
import type { App } from '../foundation/http/request/typed-app.ts';
import { createGuide } from './slice.ts';

const folder = mkdtempSync(join(tmpdir(), 'bottega-guide-'));
const app: App = fastify();
const bare: App = fastify();
afterAll(() => Promise.all([app.close(), bare.close(), rmSync(folder, { recursive: true })]));

const script = 'document.title += "!"';

beforeAll(() => {
  for (const name of ['backup', '_astro']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'index.html'), '<h1>Documentation</h1>');
  writeFileSync(join(folder, 'index.html.br'), 'in brotli');
  writeFileSync(
    join(folder, 'backup/index.html'),
    `<script>${script}</script><script src="/guide/_astro/a.js"></script>`,
  );
  writeFileSync(join(folder, '404.html'), '<h1>Not here</h1>');
  writeFileSync(join(folder, '_astro/a.js'), 'plain');
  for (const each of [app, bare]) registerErrorHandling(each);
  createGuide(folder).otherRoutes?.(app);
  createGuide(join(folder, 'nothing')).otherRoutes?.(bare);
});

const get = (url: string, headers: Record<string, string> = { accept: 'text/html' }) => app.inject({ url, headers });

describe('the guide', () => {
  test('is at /guide/, compressed as it was built', async () => {
    expect(await get('/guide')).toMatchObject({ statusCode: 308, headers: { location: '/guide/' } });
    expect(await get('/guide/')).toMatchObject({ statusCode: 200, body: '<h1>Documentation</h1>' });
    const compressed = await get('/guide/', { 'accept-encoding': 'br' });
    expect([compressed.body, compressed.headers['content-encoding']]).toEqual(['in brotli', 'br']);
    expect(compressed.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  test('has its pages at addresses with a slash at the end, and redirects there', async () => {
    expect((await get('/guide/backup/?q=1')).statusCode).toBe(200);
    expect(await get('/guide/backup')).toMatchObject({ statusCode: 308, headers: { location: '/guide/backup/' } });
  });

  test('runs only the scripts with which a page was built', async () => {
    const policy = String((await get('/guide/backup/')).headers['content-security-policy']);
    const hash = createHash('sha256').update(script).digest('base64');
    expect(policy).toContain(`script-src 'self' 'wasm-unsafe-eval' 'sha256-${hash}';`);
    expect(policy).toContain("font-src 'self'; ");
    // The search runs in a worker, which obeys the policy of its own script.
    const ofScript = String((await get('/guide/_astro/a.js')).headers['content-security-policy']);
    expect(ofScript).toContain("script-src 'self' 'wasm-unsafe-eval'; ");
  });

  test('lets browsers keep files with a hash in their name for ever', async () => {
    expect((await get('/guide/_astro/a.js')).headers['cache-control']).toContain('immutable');
  });

  test('answers an unknown address with a page in a browser, and with the documented error otherwise', async () => {
    expect(await get('/guide/nothing')).toMatchObject({ statusCode: 404, body: '<h1>Not here</h1>' });
    for (const path of ['/guide/nothing', '/guide/backup/index.html', '/guide/../secret', '/guide/%2e%2e/secret']) {
      const answer = await get(path, {});
      expect([answer.statusCode, answer.json().error.code], path).toEqual([404, 'NOT_FOUND']);
    }
  });

  test('does not exist if it was never built', async () => {
    expect((await bare.inject('/guide/')).json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });
});
