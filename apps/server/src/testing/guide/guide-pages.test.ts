import { existsSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { allBlocksOf } from '../parts/documented-page.ts';
import { guidePages } from './guide-pages.ts';

const root = join(import.meta.dirname, '../../../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The pages of the menu, and the page that leads to it. What contributors read is tried out by contributors. */
const links = [...read('docs/README.md').matchAll(/\]\(([^)#]+\.md)\)/g)];
const menu = new Set(['README.md', ...links.map(([, path = '']) => normalize(join('docs', path)))]);
menu.delete('CONTRIBUTING.md');

test('the table names the test of every page of the guide with commands or programs, and of no other page', () => {
  const pages = [...menu].filter((page) => allBlocksOf(page).length > 0 || allBlocksOf(page, 'js').length > 0);
  expect(pages.length).toBeGreaterThan(25);
  expect(Object.keys(guidePages).sort()).toEqual(pages.sort());
});

/** Every path of a test in a reason is one. */
function mustExist(why: string): void {
  for (const [path] of why.matchAll(/\S+\.ts\b/g)) expect(existsSync(join(root, path)), path).toBe(true);
}

test.each(Object.entries(guidePages))('the test of %s exists, and what it leaves out is on the page', (page, about) => {
  const { test: path, except = {}, programs } = about;
  const blocks = allBlocksOf(page);
  const left = new Set(blocks);
  for (const [beginning, why] of Object.entries(except)) {
    const leftOut = blocks.filter((block) => block.startsWith(beginning));
    expect(leftOut, beginning).not.toEqual([]);
    for (const block of leftOut) left.delete(block);
    mustExist(why);
  }
  expect(path !== null, [...left].join('\n')).toBe(left.size > 0);
  if (path !== null) expect(read(path), path).toContain(page.replace(/^docs\//, ''));
  expect(programs !== undefined).toBe(allBlocksOf(page, 'js').length > 0);
  mustExist(programs ?? '');
});
