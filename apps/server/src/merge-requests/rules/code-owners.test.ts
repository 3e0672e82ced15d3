import { expect, test } from 'vitest';
import { createBudget } from '../../foundation/concurrency/budget.ts';
import { lineFor, type OwnersFile, readOwnersFile } from './code-owners.ts';

const budget = () => createBudget({ name: 'test', message: 'too much' });

async function read(text: string): Promise<OwnersFile> {
  const lines = await readOwnersFile(text, budget());
  if (typeof lines === 'string') throw new Error(lines);
  return lines;
}

const ownersIn = async (text: string, path: string) =>
  (await lineFor(await read(text), path, budget()))?.owners.join(' ');

test.each([
  ['*', '/a.txt', true],
  ['*', '/deep/down/a.txt', true],
  ['*.js', '/deep/a.js', true],
  ['*.js', '/deep/a.jsx', false],
  ['docs/', '/docs/a.md', true],
  ['docs/', '/apps/docs/deep/a.md', true],
  ['docs/', '/docs', false],
  ['/docs/', '/apps/docs/a.md', false],
  ['/build/logs/', '/build/logs/deep/a.log', true],
  ['docs/*', '/docs/a.md', true],
  ['docs/*', '/docs/deep/a.md', false],
  ['docs/*', '/apps/docs/a.md', false],
  ['/apps/shop', '/apps/shop/deep/a.ts', true],
  ['/apps/shop', '/apps/shop', true],
  ['/apps/shop', '/apps/shops/a.ts', false],
  ['apps/**/test', '/apps/a/b/test/c.ts', true],
  ['**/logs', '/deep/down/logs/a.log', true],
  ['/*', '/a.txt', true],
  ['/*', '/deep/a.txt', false],
  ['a?c', '/abc', true],
  ['with\\ blank', '/with blank', true],
  ['/', '/deep/a.txt', true],
])('the pattern %s matches the file %s: %s', async (pattern, path, isFor) => {
  expect(await ownersIn(`${pattern} @owner\n`, path)).toBe(isFor ? '@owner' : undefined);
});

test('the last line that matches a file counts, and a line without owners removes them', async () => {
  const text = '* @all\n/src/ @src @second\n/src/generated/\n';
  expect(await ownersIn(text, '/README.md')).toBe('@all');
  expect(await ownersIn(text, '/src/a.ts')).toBe('@src @second');
  expect(await ownersIn(text, '/src/generated/a.ts')).toBe('');
});

test('comments, empty lines, carriage returns and lines that GitHub does not accept name no owners', async () => {
  const text = '# all\n\n  \n* @all # everybody\r\n!a.txt @x\n[ab].txt @y\n\\#.txt @hash\n';
  expect(await ownersIn(text, '/a.txt')).toBe('@all');
  expect(await ownersIn(text, '/b.txt')).toBe('@all');
  expect(await ownersIn(text, '/#.txt')).toBe('@hash');
});

test('a file with too many lines, or with a line or a pattern that is too long, is refused with the reason', async () => {
  const lines = (count: number) => '* @a\n'.repeat(count);
  expect([...(await read(lines(5_000))).values()].flat()).toHaveLength(5_000);
  expect(await readOwnersFile(lines(5_001), budget())).toBe('it has more than 5000 lines');
  expect(await readOwnersFile(`* @a\n${'a'.repeat(1_025)} @a`, budget())).toContain(
    'line 2 has a pattern of more than 1024',
  );
  expect(await readOwnersFile(`* ${'@a '.repeat(3_000)}`, budget())).not.toBeTypeOf('string');
  expect(await readOwnersFile(`* ${'@a '.repeat(4_000)}`, budget())).toBe('line 1 has more than 10000 characters');
});

test('the cost of hostile patterns grows with the number of changed files, and ends at the budget', async () => {
  const nearly = Array.from({ length: 5_000 }, (_, index) => `**/*${'a'.repeat(50)}b*${index} @a`).join('\n');
  const lines = await read(nearly);
  const path = `/${'a'.repeat(200)}`;
  const cost = async (files: number) => {
    const spending = budget();
    for (let index = 0; index < files; index++) expect(await lineFor(lines, path, spending)).toBeNull();
    return spending.spent().entries;
  };
  const one = await cost(1);
  expect(await cost(3)).toBe(3 * one);
  const little = createBudget({ name: 'test', entries: one, message: 'too much' });
  await lineFor(lines, path, little);
  await expect(lineFor(lines, path, little)).rejects.toThrow('too much');
});
