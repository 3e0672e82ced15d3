import { execFile, execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useBtg } from '../testing/btg.fixture.ts';
import { decisionOf, rulesOf } from './ignore-rules.ts';

const btg = useBtg();
const plenty = () => ({ left: Number.MAX_SAFE_INTEGER });

/** The paths that git ignores by this file. */
async function ignoredByGit(text: string, paths: readonly string[]): Promise<string[]> {
  const cwd = await btg.newFolder();
  execFileSync('git', ['init', '--quiet'], { cwd });
  await writeFile(join(cwd, '.gitignore'), text);
  const asked = ['-c', 'core.ignorecase=true', 'check-ignore', '--no-index', '-z', '--stdin'];
  return new Promise((resolve) => {
    const git = execFile('git', asked, { cwd }, (_error, stdout) => resolve(stdout.split('\0').filter(Boolean)));
    git.stdin?.end(paths.join('\0'));
  });
}

const names = ['a', 'b', 'ab', 'a.log', 'A.LOG', 'a b', 'a ', '#a', '!a', 'a*', 'a]', 'a-', '.a', 'x1', '[a'];
const paths = names.flatMap((one) => [one, `${one}/z`, `d/${one}`, `a/${one}`, `a/d/${one}`, `a/d/e/${one}/z`]);

test.each([
  ...['a', 'a/', '/a', 'a/b', 'd/a', '*.log', '*.LOG', '/*', '*', '**', '**/', '*/', 'a*', '?', '??', '*a*', 'a**b'],
  ...['**/a', '**/a/', 'a/**', 'a/**/', 'a/**/b', '**/d/**/a', 'd/*', 'a/*/a', '/**/a', '**/**/a', 'a/**/**/a', '**a'],
  ...['[ab]', '[!a]', '[^a]', '[a-c]b', '[]a]', '[a', 'a[]-]', '[[:digit:]]', 'x[[:digit:]]', '[[:alpha:]]', '[A-B]'],
  ...[
    '\\#a',
    '\\!a',
    '#a',
    'a\\ ',
    'a ',
    'a   ',
    'a\\*',
    'a\\',
    '\\a',
    'a\\\\ ',
    '[\\a]',
    '[a\\-z]',
    '\r',
    '..',
    './a',
  ],
  ...['*\n!a', '*\n!*/', '*\n!a\na', '!a', 'a\n!a\n', '/a/*\n!/a/b', '# a\n\n  \nb', '\uFEFFa', 'a\r\nb\r\n'],
])('%j ignores the same paths as in git', async (text) => {
  const rules = rulesOf(text);
  const parents = (path: string) =>
    [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1)).filter((one) => one !== path);
  const isIgnored = (path: string) =>
    [...parents(path), path].some((one) => decisionOf(rules, one, plenty()) === 'ignored');
  expect(paths.filter(isIgnored)).toEqual(await ignoredByGit(text, paths));
});

test.each([
  ['directories', '**/a/**/a/**/a/**/a/**/a/b', `${'a/'.repeat(2_000)}c`],
  ['a name', `${'a*'.repeat(120)}b`, 'a'.repeat(255)],
])('the steps for a rule with many stars are limited by the lengths of rule and path: %s', (_what, line, path) => {
  const steps = plenty();
  expect(decisionOf(rulesOf(line), path, steps)).toBe(undefined);
  expect(Number.MAX_SAFE_INTEGER - steps.left).toBeLessThan(line.length * path.length);
});
