import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { useBtg } from '../testing/btg.fixture.ts';
import { readLocal, writeLocal } from './local-files.ts';
import { scan } from './scan.ts';

const btg = useBtg();

async function folderWith(files: Record<string, string>): Promise<string> {
  const root = await btg.newFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

test('what ignore files name is left out, those of inner folders included, and what they take back is not', async () => {
  const root = await folderWith({
    '.gitignore': 'node_modules\n*.log\n',
    '.btgignore': 'secret/\n',
    'inner/.gitignore': '!kept.log\n/out\n',
    ...{
      'a.ts': '',
      'x.log': '',
      'node_modules/m/i.js': '',
      'secret/key': '',
      '.git/config': '',
      '.btg/project.json': '',
    },
    ...{ 'inner/kept.log': '', 'inner/other.log': '', 'inner/out/x': '', 'inner/deep/out/y': '' },
  });
  const { files, directories, isIgnored } = await scan(root);
  expect([...files.keys()].toSorted()).toEqual([
    ...['/.btgignore', '/.gitignore', '/a.ts', '/inner/.gitignore', '/inner/deep/out/y', '/inner/kept.log'],
  ]);
  expect(directories.some((directory) => directory.includes('node_modules'))).toBe(false);
  const asked = ['/node_modules/new.js', '/inner/new.log', '/inner/out/new', '/secret/new', '/new.ts'];
  expect(asked.map(isIgnored)).toEqual([true, true, true, true, false]);
});

test('symbolic links are not followed, neither to read nor to write', async () => {
  const [root, outside] = [await folderWith({ 'a.txt': 'a' }), await folderWith({ 'b.txt': 'b' })];
  await symlink(join(outside, 'b.txt'), join(root, 'link.txt'));
  await symlink(outside, join(root, 'folder'));
  expect([...(await scan(root)).files.keys()]).toEqual(['/a.txt']);
  for (const path of ['/link.txt', '/folder/b.txt', '/folder/new.txt', '/../b.txt']) {
    const found = await readLocal(root, path);
    expect(found.kind).toBe('other');
    expect(await writeLocal(root, path, 'x', { kind: 'missing' }).catch(() => false)).toBe(false);
  }
  expect(await readLocal(outside, '/b.txt')).toEqual({ kind: 'text', text: 'b' });
  expect((await scan(outside)).files.size).toBe(1);
});

test('a file is not overwritten that was changed since it was read', async () => {
  const root = await folderWith({ 'a.txt': 'newer' });
  expect(await writeLocal(root, '/a.txt', 'there', { kind: 'text', text: 'older' })).toBe(false);
  expect(await readLocal(root, '/a.txt')).toEqual({ kind: 'text', text: 'newer' });
});

test('what is no text is told as such', async () => {
  const root = await folderWith({ 'nul.bin': 'a\0b' });
  await writeFile(join(root, 'half.txt'), Buffer.from([0xc3]));
  expect([(await readLocal(root, '/nul.bin')).kind, (await readLocal(root, '/half.txt')).kind]).toEqual([
    'other',
    'other',
  ]);
});
