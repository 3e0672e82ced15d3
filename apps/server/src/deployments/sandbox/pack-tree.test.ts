import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packProgram, packTree } from './pack-tree.ts';

test('a packed tree is unpacked by tar with every file, mode, time, link and long name', async () => {
  const root = mkdtempSync(join(tmpdir(), 'bottega-pack-'));
  const [from, to] = [join(root, 'from'), join(root, 'to')];
  const deep = `${'a-long-name-of-a-directory/'.repeat(8)}größe`;
  const sizes = { plain: 5, empty: 0, [`${deep}/block`]: 512, [`${deep}/large`]: 700_001 };
  mkdirSync(join(from, deep), { recursive: true });
  mkdirSync(join(from, 'nothing'));
  mkdirSync(to);
  for (const [name, size] of Object.entries(sizes)) writeFileSync(join(from, name), Buffer.alloc(size, name));
  writeFileSync(join(from, 'run.sh'), 'x', { mode: 0o755 });
  utimesSync(join(from, 'run.sh'), 1_700_000_000, 1_700_000_000);
  symlinkSync('plain', join(from, 'link'));
  symlinkSync(deep, join(from, 'long-link'));
  const packed = Buffer.concat(await Array.fromAsync(packTree(from, 60_599)));
  const listed = execFileSync('tar', ['-tv', '--numeric-owner'], { input: packed }).toString();
  expect(
    listed
      .trim()
      .split('\n')
      .every((line) => line.includes(' 60599/60599 ')),
  ).toBe(true);
  execFileSync('tar', ['-x', '--no-same-owner', '-C', to], { input: packed });
  for (const name of Object.keys(sizes)) {
    expect(readFileSync(join(to, name)).equals(readFileSync(join(from, name))), name).toBe(true);
  }
  expect(statSync(join(to, 'run.sh')).mode & 0o777).toBe(0o755);
  expect(statSync(join(to, 'run.sh')).mtimeMs).toBe(1_700_000_000_000);
  expect(statSync(join(to, 'nothing')).isDirectory()).toBe(true);
  expect([readlinkSync(join(to, 'link')), readlinkSync(join(to, 'long-link'))]).toEqual(['plain', deep]);
  rmSync(root, { recursive: true });
});

test('a directory can be packed under another path, and a program can be packed without a file', async () => {
  const root = mkdtempSync(join(tmpdir(), 'bottega-pack-'));
  const [from, to] = [join(root, 'from'), join(root, 'to')];
  for (const directory of [from, to]) mkdirSync(directory);
  writeFileSync(join(from, 'file'), 'x');
  const archives = [
    await Array.fromAsync(packTree(from, 0, './deep/@scope/name')),
    [...packProgram('./bin/run', '#!/bin/sh\n', 0)],
  ];
  for (const parts of archives) execFileSync('tar', ['-x', '-C', to], { input: Buffer.concat(parts) });
  expect(readFileSync(join(to, 'deep/@scope/name/file'), 'utf8')).toBe('x');
  expect(statSync(join(to, 'bin/run')).mode & 0o777).toBe(0o755);
  rmSync(root, { recursive: true });
});
