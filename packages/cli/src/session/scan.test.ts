import { execFile } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { useBtg } from '../testing/btg.fixture.ts';
import { nothingKept } from './ignoring.ts';
import { readLocal, writeLocal } from './local-files.ts';
import { isSafePath } from './paths.ts';
import { scan } from './scan.ts';

const btg = useBtg();
const runProgram = promisify(execFile);

async function folderWith(files: Record<string, string>): Promise<string> {
  const root = await btg.newFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

test('files that ignore files name are left out, also in inner folders, unless a later rule takes them back', async () => {
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

test('symbolic links are followed neither to read nor to write', async () => {
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

test('a file that was changed since it was read is not overwritten', async () => {
  const root = await folderWith({ 'a.txt': 'newer' });
  expect(await writeLocal(root, '/a.txt', 'there', { kind: 'text', text: 'older' })).toBe(false);
  expect(await readLocal(root, '/a.txt')).toEqual({ kind: 'text', text: 'newer' });
});

test('a file that is not text is reported as such', async () => {
  const root = await folderWith({ 'nul.bin': 'a\0b' });
  await writeFile(join(root, 'half.txt'), Buffer.from([0xc3]));
  expect([(await readLocal(root, '/nul.bin')).kind, (await readLocal(root, '/half.txt')).kind]).toEqual([
    'other',
    'other',
  ]);
});

/** What some code prints, in a process that has no more rights than a user. Root may read everything. */
async function asUser(code: string, root: string): Promise<unknown> {
  const module = (name: string) => JSON.stringify(join(import.meta.dirname, name));
  const program = `
    const { readLocal } = await import(${module('local-files.ts')});
    const { scan } = await import(${module('scan.ts')});
    const root = ${JSON.stringify(root)};
    console.log(JSON.stringify(await ${code}));`;
  const asNobody = ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'];
  const node = [process.execPath, '--input-type=module', '--eval', program];
  const [first = '', ...rest] = process.getuid?.() === 0 ? [...asNobody, ...node] : node;
  return JSON.parse((await runProgram(first, rest)).stdout);
}

test('a file that cannot be read is reported as such, and does not count as deleted', async () => {
  const root = await folderWith({ 'a.txt': 'a', 'closed/b.txt': 'b' });
  await chmod(join(root, 'a.txt'), 0);
  await chmod(join(root, 'closed'), 0);
  const paths = JSON.stringify(['/a.txt', '/closed/b.txt', '/gone.txt', '/gone/b.txt']);
  const found = await asUser(`Promise.all(${paths}.map((path) => readLocal(root, path)))`, root);
  await chmod(join(root, 'closed'), 0o700);
  const unreadable = { kind: 'other', why: 'it cannot be read' };
  expect(found).toEqual([unreadable, unreadable, { kind: 'missing' }, { kind: 'missing' }]);
});

test('nothing is sent from a folder whose ignore file cannot be read', async () => {
  const root = await folderWith({ 'a.txt': '', 'inner/.gitignore': '.env', 'inner/.env': '' });
  await chmod(join(root, 'inner/.gitignore'), 0);
  expect(await asUser('scan(root).then(({ files }) => [...files.keys()])', root)).toEqual(['/a.txt']);
});

test('a file that was ignored stays ignored during a session, whatever others write into ignore files', async () => {
  const [root, kept] = [await folderWith({ '.gitignore': '*.key\n', 'a.txt': '' }), nothingKept()];
  const write = (path: string, text: string) => writeFile(join(root, path), text);
  await mkdir(join(root, 'inner'));
  await scan(root, kept);
  await write('.gitignore', '*.key\n.env\n');
  await write('.env', 'SECRET=1');
  await scan(root, kept);
  await write('.gitignore', '!*\n');
  await write('inner/.gitignore', '!*\n*.log\n');
  await write('inner/new.key', '');
  const { files, held, isIgnored } = await scan(root, kept);
  expect([...files.keys()].toSorted()).toEqual(['/.gitignore', '/a.txt', '/inner/.gitignore']);
  expect(held.toSorted()).toEqual(['/.env', '/inner/new.key']);
  const asked = ['/.env', '/b.key', '/inner/b.key', '/inner/x.log', '/b.txt'];
  expect(asked.map(isIgnored)).toEqual([true, true, true, true, false]);
});

test.each([
  ['directories', '**/a/**/a/**/a/**/a/**/a/b', `/${'a/'.repeat(2_000)}c`],
  ['names', `${'a*'.repeat(100)}b\n`.repeat(600), `/${`${'a'.repeat(255)}/`.repeat(15)}c`],
])('an ignore file from the service does not block the program: %s', async (_what, text, path) => {
  const { isIgnored } = await scan(await folderWith({ '.gitignore': text }));
  const { user: before } = process.cpuUsage();
  isIgnored(path);
  // Microseconds of this process alone: other programs may hold the processor.
  expect(process.cpuUsage().user - before).toBeLessThan(2_000_000);
});

test('if an ignore file is too large to be read, nothing in its folder is sent', async () => {
  const root = await folderWith({ '.env': '', 'inner/.gitignore': `${'#'.repeat(2 ** 20)}\n`, 'inner/key': '' });
  expect([...(await scan(root)).files.keys()]).toEqual(['/.env']);
});

test('an impossible path is refused at once, however long it is', () => {
  for (const name of [' ', '.', ' .', 'a ']) {
    const { user: before } = process.cpuUsage();
    expect(isSafePath(`/${name.repeat(2 ** 20)}x`)).toBe(false);
    expect(process.cpuUsage().user - before).toBeLessThan(1_000_000);
  }
  for (const path of ['/btg~1/project.json', '/BTG~1 /x', '/.BTG/x', 7, null, undefined]) {
    expect(isSafePath(path as string)).toBe(false);
  }
});
