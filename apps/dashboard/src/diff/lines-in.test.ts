import { expect, test } from 'vitest';
import { linesIn } from './lines-in.ts';

const diff = '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n';

test('the lines of a range are the lines after the change', () => {
  expect(linesIn(diff, 1, 3)).toBe('a\nB\nc');
  expect(linesIn(diff, 2, 2)).toBe('B');
});

test('a range that the diff does not contain has no lines', () => {
  expect(linesIn(diff, 3, 4)).toBeNull();
});
