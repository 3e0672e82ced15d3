import { expect, test } from 'vitest';
import { foldersIn, rowsIn } from './file-tree.ts';
import { stepOf } from './tree-keys.ts';

const file = (path: string, type: 'file' | 'directory' = 'file') => ({
  name: path.slice(path.lastIndexOf('/') + 1),
  path,
  type,
});
const files = [file('/docs', 'directory'), file('/src', 'directory'), file('/src/a.ts'), file('/src/b.ts'), file('/z')];
/** docs, src (open), a.ts, b.ts, z */
const rows = rowsIn(foldersIn(files), new Set(['/src']));
const keys = (...[at, ...pressed]: [number, ...string[]]) => pressed.map((key) => stepOf(rows, at, key));

test('the arrow keys move from row to row and stop at both ends', () => {
  expect(keys(1, 'ArrowDown', 'ArrowUp', 'Home', 'End')).toEqual([{ to: 2 }, { to: 0 }, { to: 0 }, { to: 4 }]);
  expect(keys(0, 'ArrowUp', 'PageUp')).toEqual([{ to: 0 }, { to: 0 }]);
  expect(keys(4, 'ArrowDown', 'PageDown')).toEqual([{ to: 4 }, { to: 4 }]);
});

test('the right arrow opens a folder and then enters it, and the left arrow leaves it and closes it', () => {
  expect(stepOf(rows, 0, 'ArrowRight')).toEqual({ folder: '/docs' });
  expect(stepOf(rows, 1, 'ArrowRight')).toEqual({ to: 2 });
  expect(stepOf(rows, 2, 'ArrowRight')).toBeNull();
  expect(stepOf(rows, 3, 'ArrowLeft')).toEqual({ to: 1 });
  expect(stepOf(rows, 1, 'ArrowLeft')).toEqual({ folder: '/src' });
  expect(stepOf(rows, 4, 'ArrowLeft')).toEqual({ to: 4 });
});

test('a letter key moves to the next name that begins with it, and starts again at the top', () => {
  expect(keys(0, 'Z', 'b', 'q')).toEqual([{ to: 4 }, { to: 3 }, { to: 0 }]);
  expect(stepOf(rows, 4, 'd')).toEqual({ to: 0 });
  expect(keys(0, ' ', 'Enter', 'Tab', '?', '/')).toEqual([null, null, null, null, null]);
});
