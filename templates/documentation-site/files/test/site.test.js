import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { addressOf, buildSite } from '../lib/site.js';

const root = fileURLToPath(new URL('..', import.meta.url));
let output;
before(async () => {
  output = await mkdtemp(join(tmpdir(), 'docs-'));
  await buildSite({ root, output });
});
after(() => rm(output, { recursive: true }));

test('numbers are for the order only', () => {
  assert.equal(addressOf('02-guide/01-first.md'), 'guide/first.html');
});

test('every link within the site leads to a file, and every anchor to a place', async () => {
  const files = (await readdir(output, { recursive: true })).map((name) => normalize(name));
  for (const page of files.filter((name) => name.endsWith('.html'))) {
    const html = await readFile(join(output, page), 'utf8');
    for (const [, target] of html.matchAll(/(?:href|src)="([^"]*)"/g)) {
      if (/^https?:/.test(target)) continue;
      const [path, fragment] = target.split('#');
      const place = path === '' ? page : normalize(join(dirname(page), path));
      assert.ok(files.includes(place), `${page} links to ${target}`);
      if (fragment) assert.ok((await readFile(join(output, place), 'utf8')).includes(`id="${fragment}"`), `${page}: ${target}`);
    }
  }
});

test('the first page comes first', async () => {
  const { title } = JSON.parse(await readFile(join(root, 'site.json'), 'utf8'));
  const [first] = await buildSite({ root, output });
  assert.equal(first.address, 'index.html');
  assert.equal(first.title, title);
});
