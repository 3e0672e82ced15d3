import type { File } from '@bottega/contract';
import { expect, test } from 'vitest';
import { directoriesAbove, droppedPath, type FileNode, fileTree } from './file-tree.ts';
import { movedPath } from './tabs.ts';

const file = (path: string, type: File['type'] = 'file'): File => ({
  id: path,
  name: path.slice(path.lastIndexOf('/') + 1),
  path,
  type,
  created_at: '',
  updated_at: '',
});

const shape = (nodes: FileNode[]): unknown[] =>
  nodes.map(({ label, children }) => (children ? [label, shape(children)] : label));

test('directories stand before files, numbers are sorted as people count', () => {
  const files = [file('/b10.ts'), file('/b9.ts'), file('/src', 'directory'), file('/src/a.ts'), file('/A.md')];
  expect(shape(fileTree(files))).toEqual([['src', ['a.ts']], 'A.md', 'b9.ts', 'b10.ts']);
});

test('the way to a path is every directory above it', () => {
  expect(directoriesAbove('/a/b/c.ts')).toEqual(['/a', '/a/b']);
  expect(directoriesAbove('/c.ts')).toEqual([]);
});

test('what is below a moved directory moves with it, and nothing that is only called alike', () => {
  const move = { from: '/a', to: '/z/y' };
  expect(['/a', '/a/b.ts', '/ab.ts'].map((path) => movedPath(path, move))).toEqual(['/z/y', '/z/y/b.ts', '/ab.ts']);
});

test('what is dropped on a folder goes into it, what is dropped on a file goes beside it', () => {
  const [folder, below, other] = [file('/src', 'directory'), file('/src/lib', 'directory'), file('/a.ts')];
  expect(droppedPath(other, below)).toBe('/src/lib/a.ts');
  expect(droppedPath(below, other)).toBe('/lib');
  expect(droppedPath(file('/src/lib/x.ts'), file('/src/main.ts'))).toBe('/src/x.ts');
  for (const target of [folder, below, file('/src/lib/x.ts'), other]) expect(droppedPath(folder, target)).toBeNull();
});
