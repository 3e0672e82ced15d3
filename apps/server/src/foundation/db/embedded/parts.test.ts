import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findBinaries } from './binaries.ts';
import { prepareLayout, prepareSocketDir, refuseForeignSocketDir } from './layout.ts';
import { boundLog } from './log-file.ts';
import { inspectPostmaster, removeStaleLocks } from './postmaster.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'bottega-parts-'));
});
afterEach(() => rm(dir, { recursive: true }));

test('a platform without binaries is refused in one line that says to set DATABASE_URL', async () => {
  await expect(findBinaries('plan9-x64')).rejects.toThrow(
    /^No embedded PostgreSQL[^\n]*plan9-x64[^\n]*DATABASE_URL[^\n]*$/,
  );
});

test('a data directory that cannot be made is refused in one line', async () => {
  await writeFile(join(dir, 'file'), '');
  await expect(prepareLayout(join(dir, 'file', 'data'))).rejects.toThrow(
    /^The embedded database cannot be stored in .*$/,
  );
});

describe('the socket directory', () => {
  test('is private', async () => {
    const layout = await prepareLayout(dir);
    await prepareSocketDir(layout.socketDir, layout);
    expect((await stat(layout.socketDir)).mode & 0o777).toBe(0o700);
  });

  test('is refused if it is a symbolic link or open to others', async () => {
    const layout = await prepareLayout(dir);
    const target = join(dir, 'elsewhere');
    await mkdir(target, { mode: 0o700 });
    await symlink(target, layout.socketDir);
    await expect(refuseForeignSocketDir(layout.socketDir, layout.root)).rejects.toThrow(
      'is not a directory that belongs to this user with mode 0700',
    );
    await chmod(target, 0o755);
    await expect(refuseForeignSocketDir(target, layout.root)).rejects.toThrow(
      'is not a directory that belongs to this user with mode 0700',
    );
  });
});

describe('postmaster.pid', () => {
  test('is stale if it has been empty for long, and still being written if it is new', async () => {
    const path = join(dir, 'postmaster.pid');
    expect(await inspectPostmaster(dir)).toEqual({ state: 'absent' });
    await writeFile(path, '');
    expect(await inspectPostmaster(dir)).toEqual({ state: 'unwritten' });
    await utimes(path, 0, 0);
    expect(await inspectPostmaster(dir)).toEqual({ state: 'stale', record: '' });
  });

  test('is put back if another starter has replaced the stale file', async () => {
    const path = join(dir, 'postmaster.pid');
    await writeFile(path, `${process.ppid}\nnew\n`);
    await removeStaleLocks(dir, dir, `${process.pid}\nold\n`);
    expect(await readFile(path, 'utf8')).toBe(`${process.ppid}\nnew\n`);
    await removeStaleLocks(dir, dir, `${process.ppid}\nnew\n`);
    await expect(stat(path)).rejects.toThrow('ENOENT');
  });
});

test('a log above its limit is copied once and emptied in place', async () => {
  const path = join(dir, 'postgres.log');
  await writeFile(path, 'x'.repeat(10 * 1024 * 1024));
  await boundLog(path);
  expect((await stat(path)).size).toBe(10 * 1024 * 1024);
  await writeFile(path, 'y', { flag: 'a' });
  await boundLog(path);
  expect((await stat(path)).size).toBe(0);
  expect((await stat(`${path}.1`)).size).toBe(10 * 1024 * 1024 + 1);
});
