import type { File } from '@bottega/contract';
import { expect, test } from 'vitest';
import { directoriesAbove, droppedPath, foldersIn, rowsIn } from './file-tree.ts';
import { movedPath } from './tabs.ts';

const file = (path: string, type: File['type'] = 'file'): File => ({
  id: path,
  name: path.slice(path.lastIndexOf('/') + 1),
  path,
  type,
  created_at: '',
  updated_at: '',
});

const rowsOf = (files: File[], ...opened: string[]) =>
  rowsIn(foldersIn(files), new Set(opened)).map(({ file: { name }, level, place, siblings }) => [
    name,
    level,
    `${place}/${siblings}`,
  ]);

test('directories are listed before files, numbers are sorted by value, and only open folders show their contents', () => {
  const files = [file('/b10.ts'), file('/b9.ts'), file('/src', 'directory'), file('/src/a.ts'), file('/A.md')];
  expect(rowsOf(files, '/src')).toEqual([
    ['src', 1, '1/4'],
    ['a.ts', 2, '1/1'],
    ['A.md', 1, '2/4'],
    ['b9.ts', 1, '3/4'],
    ['b10.ts', 1, '4/4'],
  ]);
  expect(rowsOf(files).map(([name]) => name)).toEqual(['src', 'A.md', 'b9.ts', 'b10.ts']);
});

test('the parents of a path are all directories above it', () => {
  expect(directoriesAbove('/a/b/c.ts')).toEqual(['/a', '/a/b']);
  expect(directoriesAbove('/c.ts')).toEqual([]);
});

test('everything in a moved directory moves with it, but a path with a similar name does not', () => {
  const move = { from: '/a', to: '/z/y' };
  expect(['/a', '/a/b.ts', '/ab.ts'].map((path) => movedPath(path, move))).toEqual(['/z/y', '/z/y/b.ts', '/ab.ts']);
});

test('an item dropped on a folder goes into it, and an item dropped on a file goes beside it', () => {
  const [folder, below, other] = [file('/src', 'directory'), file('/src/lib', 'directory'), file('/a.ts')];
  expect(droppedPath(other, below)).toBe('/src/lib/a.ts');
  expect(droppedPath(below, other)).toBe('/lib');
  expect(droppedPath(file('/src/lib/x.ts'), file('/src/main.ts'))).toBe('/src/x.ts');
  for (const target of [folder, below, file('/src/lib/x.ts'), other]) expect(droppedPath(folder, target)).toBeNull();
});
