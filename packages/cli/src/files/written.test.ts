import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useBtg } from '../testing/btg.fixture.ts';
import { placeOf, readBelow } from './below.ts';
import { isSafeName } from './names.ts';
import { createBelow, makeFolder, removeBelow, writeBelow } from './written.ts';

const btg = useBtg();

/** A folder that a project filled, with symbolic links to another one. */
async function hostileFolder() {
  const [root, outside] = [await btg.newFolder(), await btg.newFolder()];
  await writeFile(join(outside, 'kept.txt'), 'kept');
  await symlink(outside, join(root, 'out'));
  await symlink(join(outside, 'kept.txt'), join(root, 'file'));
  await symlink(join(outside, 'new.txt'), join(root, 'dangling'));
  await mkdir(join(root, 'inner'));
  await symlink(outside, join(root, 'inner/out'));
  return { root, outside };
}

test('nothing is read, written, made or removed through a link below the folder', async () => {
  const { root, outside } = await hostileFolder();
  const paths = ['out/kept.txt', 'out/new.txt', 'out/deep/new.txt', 'inner/out/new.txt', 'file', 'dangling'];
  for (const path of paths) {
    await expect(writeBelow({ root, path }, 'x'), path).rejects.toThrow('is skipped');
    expect(await createBelow({ root, path }, 'x').catch(() => false), path).toBe(false);
    await expect(readBelow({ root, path }, 100), path).rejects.toThrow('is skipped');
  }
  await expect(removeBelow({ root, path: 'out/kept.txt' })).rejects.toThrow('is skipped');
  await expect(makeFolder({ root, path: 'out/made' })).rejects.toThrow('is skipped');
  expect(await readdir(outside)).toEqual(['kept.txt']);
  expect(await readFile(join(outside, 'kept.txt'), 'utf8')).toBe('kept');
  expect((await readdir(root)).toSorted()).toEqual(['dangling', 'file', 'inner', 'out']);
});

test('a link that replaces a folder while a file is written leads nothing out of the folder', async () => {
  const { root, outside } = await hostileFolder();
  const swap = async () => {
    execFileSync('sh', ['-c', 'mv inner aside && ln -s "$0" inner', outside], { cwd: root });
    return true;
  };
  const written = writeBelow({ root, path: 'inner/kept.txt' }, 'x', { isStillWanted: swap });
  await expect(written).rejects.toThrow('changed in the meantime');
  expect(await readFile(join(outside, 'kept.txt'), 'utf8')).toBe('kept');
});

test('a pipe is not waited for, and a file that is larger than allowed is not read', async () => {
  const root = await btg.newFolder();
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(root, 'pipe')]);
  await writeFile(join(root, 'large'), 'x'.repeat(101));
  await expect(readBelow({ root, path: 'pipe' }, 100)).rejects.toThrow('is skipped');
  await expect(readBelow({ root, path: 'large' }, 100)).rejects.toThrow('larger');
  expect(await readBelow({ root, path: 'missing/file' }, 100)).toBe(null);
});

test('a written file is complete, keeps the permissions of the former file, and can be private to its owner', async () => {
  const root = await btg.newFolder();
  await writeFile(join(root, 'run.sh'), 'a', { mode: 0o755 });
  await writeBelow({ root, path: 'run.sh' }, 'b');
  await writeBelow({ root, path: 'deep/secret' }, 'c', { mode: 0o600 });
  expect([await readFile(join(root, 'run.sh'), 'utf8'), (await stat(join(root, 'run.sh'))).mode & 0o777]).toEqual([
    'b',
    0o755,
  ]);
  expect((await stat(join(root, 'deep/secret'))).mode & 0o777).toBe(0o600);
  expect(await readdir(root)).toEqual(['deep', 'run.sh']);
});

test.each([
  ...['', '.', '..', '.git', '.GIT', '.git.', '.git ', '.g\u200cit', 'git~1', '.git::$INDEX_ALLOCATION', 'a\\b'],
  ...['a\0b', 'a\u001bb', 'a\nb', 'a\u009bb', 'con', 'CON.txt', 'aux', 'nul.', 'COM1', 'lpt9.log', 'a:b', '.. '],
])('no file may be called %j', (name) => expect(isSafeName(name)).toBe(false));

test.each(['.github', '.gitignore', '.btg', 'console.ts', 'a b', 'ünï.txt', 'com10', 'auxiliary', '...a'])(
  'a file may be called %j',
  (name) => expect(isSafeName(name)).toBe(true),
);

test('a typed path is below the folder if it leads there, and otherwise below the place that the user named', () => {
  expect(placeOf('/a/b', 'c/d')).toEqual({ root: '/a/b', path: 'c/d' });
  expect(placeOf('/a/b', '/a/b/c/../d')).toEqual({ root: '/a/b', path: 'd' });
  expect(placeOf('/a/b', '../c')).toEqual({ root: '/a', path: 'c' });
  expect(placeOf('/a/b', '..c')).toEqual({ root: '/a/b', path: '..c' });
});
