import { expect, test } from 'vitest';
import { linesNow } from './lines-now.ts';

const version = 'import a\n\nconst one = 1;\nconst two = 2;\nexport { one };\n';
const now = (screen: string) => {
  const find = linesNow(version, screen.split('\n'));
  return [1, 2, 3, 4, 5].map(find);
};

test('in an unchanged text, every line keeps its place', () => {
  expect(now(version)).toEqual([1, 2, 3, 4, 5]);
});

test('added and removed lines shift the lines below them', () => {
  expect(now(`// first\n${version}`)).toEqual([2, 3, 4, 5, 6]);
  expect(now(version.replace('import a\n\n', ''))).toEqual([null, null, 1, 2, 3]);
  expect(now(version.replace('const two', 'const three = 3;\nconst two'))).toEqual([1, 2, 3, 5, 6]);
});

test('an edited line is found, and a replaced line is not', () => {
  expect(now(version.replace('const two = 2;', 'const two = 20;'))).toEqual([1, 2, 3, 4, 5]);
  expect(now(version.replace('const two = 2;', 'while (true) {'))).toEqual([1, 2, 3, null, 5]);
  expect(now(version.replace('const two = 2;', '/* a */\nconst two = 22;\n/* b */'))).toEqual([1, 2, 3, 5, 7]);
});

test('different line endings make no difference', () => {
  expect(now(version.replaceAll('\n', '\r\n'))).toEqual([1, 2, 3, 4, 5]);
  const find = linesNow(version.replaceAll('\n', '\r\n'), version.split('\n'));
  expect([1, 5].map(find)).toEqual([1, 5]);
});

test('in an unrelated text no line is found, nor is a line that the version does not have', () => {
  expect(now('Dear all')).toEqual([null, null, null, null, null]);
  expect(linesNow(version, version.split('\n'))(9)).toBeNull();
  expect(linesNow('', [''])(1)).toBeNull();
});
