import { expect, test } from 'vitest';
import { linesNow } from './lines-now.ts';

const version = 'import a\n\nconst one = 1;\nconst two = 2;\nexport { one };\n';
const now = (screen: string) => {
  const find = linesNow(version, screen.split('\n'));
  return [1, 2, 3, 4, 5].map(find);
};

test('in the same text, every line is where it was', () => {
  expect(now(version)).toEqual([1, 2, 3, 4, 5]);
});

test('lines that were added or removed move those below them', () => {
  expect(now(`// first\n${version}`)).toEqual([2, 3, 4, 5, 6]);
  expect(now(version.replace('import a\n\n', ''))).toEqual([null, null, 1, 2, 3]);
  expect(now(version.replace('const two', 'const three = 3;\nconst two'))).toEqual([1, 2, 3, 5, 6]);
});

test('a line that was edited is found, and a line that was replaced is not', () => {
  expect(now(version.replace('const two = 2;', 'const two = 20;'))).toEqual([1, 2, 3, 4, 5]);
  expect(now(version.replace('const two = 2;', 'while (true) {'))).toEqual([1, 2, 3, null, 5]);
  expect(now(version.replace('const two = 2;', '/* a */\nconst two = 22;\n/* b */'))).toEqual([1, 2, 3, 5, 7]);
});

test('line endings of another system change nothing', () => {
  expect(now(version.replaceAll('\n', '\r\n'))).toEqual([1, 2, 3, 4, 5]);
  const find = linesNow(version.replaceAll('\n', '\r\n'), version.split('\n'));
  expect([1, 5].map(find)).toEqual([1, 5]);
});

test('nothing is found in another text, nor a line that the version does not have', () => {
  expect(now('Dear all')).toEqual([null, null, null, null, null]);
  expect(linesNow(version, version.split('\n'))(9)).toBeNull();
  expect(linesNow('', [''])(1)).toBeNull();
});
