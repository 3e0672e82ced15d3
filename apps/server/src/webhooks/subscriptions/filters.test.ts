import { describe, expect, test } from 'vitest';
import { cpuMsOf } from '../../testing/parts/cpu-time.ts';
import { compileFilters } from './filters.ts';

const about = (path: string | null, project_id: string | null = 'prj_1') => ({
  project_id,
  data: path === null ? {} : { file_path: path },
});

describe('a path pattern', () => {
  test.each<[string, string, boolean]>([
    ['/src/a.ts', '/src/a.ts', true],
    ['/src/a.ts', '/src/a.tsx', false],
    ['/src/*.ts', '/src/a.ts', true],
    ['/src/*.ts', '/src/below/a.ts', false],
    ['/src/**', '/src/a.ts', true],
    ['/src/**', '/src/deep/below/a.ts', true],
    ['/src/**', '/srcs/a.ts', false],
    ['/src/**/*.ts', '/src/a.ts', true],
    ['/src/**/*.ts', '/src/x/y/a.ts', true],
    ['/src/**/*.ts', '/src/x/y/a.js', false],
    ['**/*.md', '/README.md', true],
    ['**/*.md', '/docs/a/b.md', true],
    ['/?.txt', '/a.txt', true],
    ['/?.txt', '/ab.txt', false],
    ['/?.txt', '/🏛.txt', true],
    ['/a**b', '/axxb', true],
    ['/*', '/a', true],
    ['/*', '/a/b', false],
    // No other character is special.
    ['/a.c', '/abc', false],
    ['/(a+)+', '/aaa', false],
    ['/[ab]', '/a', false],
    ['/{a,b}', '/a', false],
  ])('%s matches the path %s: %s', (pattern, path, expected) => {
    expect(compileFilters({ paths: [pattern] }).passes(about(path))).toBe(expected);
  });

  test('with many stars takes no longer than any other', () => {
    const { passes } = compileFilters({ paths: [`/${'*a'.repeat(400)}b`, `/${'**/a/'.repeat(150)}b`] });
    expect(passes(about(`/${'a'.repeat(1000)}`))).toBe(false);
    expect(passes(about('/a'.repeat(64)))).toBe(false);
  });

  test('that nearly matches everywhere takes about as long as any other, also fifty of them together', () => {
    const paths = Array.from({ length: 50 }, (_, index) => `/*${'a'.repeat(450)}b*${index}*`);
    const { passes } = compileFilters({ paths });
    const spent = cpuMsOf(() => {
      for (let event = 0; event < 50; event++) passes(about(`/${'a'.repeat(1022)}`));
    });
    // It takes a tenth of a second. Backtracking to the last star would take ten.
    expect(spent).toBeLessThan(2_000);
  });

  test('lets events pass that have no file', () => {
    expect(compileFilters({ paths: ['/src/**'] }).passes(about(null))).toBe(true);
  });
});

test('a project filter lets only events of its projects pass, and a path filter applies as well', () => {
  const { passes } = compileFilters({ projects: ['prj_1', 'prj_2'], paths: ['**/*.md'] });
  expect(passes(about('/a.md', 'prj_2'))).toBe(true);
  expect(passes(about('/a.md', 'prj_3'))).toBe(false);
  expect(passes(about('/a.txt', 'prj_1'))).toBe(false);
  expect(passes(about(null, null))).toBe(false);
});

test('without filters, every event passes', () => {
  expect(compileFilters(null).passes(about('/a', null))).toBe(true);
  expect(compileFilters({}).passes(about(null))).toBe(true);
});
