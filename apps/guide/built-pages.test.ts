import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documents, readMenu, readPages } from './pages.ts';

const dist = join(import.meta.dirname, 'dist');
const pages = new Map(
  globSync('**/index.html', { cwd: dist }).map((file) => [
    `/guide/${file.slice(0, -'index.html'.length)}`,
    readFileSync(join(dist, file), 'utf8'),
  ]),
);

test('every file of docs/ is a page, and is linked in the menu or in the index of its folder', () => {
  const inMenu = readMenu().flatMap(({ items }) => items.map(({ link }) => link));
  const written = readPages().filter(({ id }) => id !== 'index' && !/^(?:project|decisions)\//.test(id));
  expect(written.map(({ id }) => `/${id}/`).filter((link) => !inMenu.includes(link))).toEqual([]);
  expect([...pages.keys()].sort()).toEqual(
    readPages()
      .map(({ id }) => (id === 'index' ? '/guide/' : `/guide/${id}/`))
      .sort(),
  );
});

test('every link within the guide leads to an existing page and, if it has a fragment, to an existing place on it', () => {
  const broken = [...pages].flatMap(([address, html]) =>
    [...html.matchAll(/href="(\/guide\/[^"#]*)(?:#([^"]+))?"/g)]
      .filter(([, path = '']) => path.endsWith('/'))
      .filter(([, path = '', place]) => !(place ? pages.get(path)?.includes(` id="${place}"`) : pages.has(path)))
      .map(([link]) => `${address}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('the other documents in docs/ are published beside the pages', () => {
  expect(documents).toContain('observability/alerts.yaml');
  for (const name of documents) expect(existsSync(join(dist, name)), name).toBe(true);
});

test('no page loads anything from another host', () => {
  const foreign = /(?:src|<link[^>]+href)="(?:https?:)?\/\//;
  expect([...pages].filter(([, html]) => foreign.test(html)).map(([address]) => address)).toEqual([]);
});
