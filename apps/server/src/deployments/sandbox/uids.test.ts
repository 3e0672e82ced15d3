import { chown, lstat, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeAsRoot } from '../../testing/parts/programs.ts';
import { createUids } from './uids.ts';

describeAsRoot('the uid of a job', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'bottega-test-uids-'));
  });
  afterAll(() => rm(root, { recursive: true }));

  async function jobOf(name: string): Promise<string> {
    await mkdir(join(root, name, 'workspace', 'deep'), { recursive: true });
    await mkdir(join(root, name, 'tmp'));
    await writeFile(join(root, name, 'workspace', 'deep', 'file'), '');
    return join(root, name);
  }

  test('differs from that of every other existing job', async () => {
    const uids = createUids();
    const [one, two] = [await jobOf('one'), await jobOf('two')];
    const [first, second] = await Promise.all([uids.of(one), uids.of(two)]);
    expect(first).not.toBe(second);
    await rm(one, { recursive: true });
    expect(await uids.of(await jobOf('three'))).toBe(first);
    expect((await lstat(join(root, 'three', 'workspace', 'deep', 'file'))).uid).toBe(first);
    expect(await uids.of(two)).toBe(second);
  });

  test('stays the same, and the files of an earlier run do not get another owner', async () => {
    const uids = createUids();
    const job = await jobOf('again');
    const uid = await uids.of(job);
    const ofTheHost = join(root, 'of-the-host');
    await writeFile(ofTheHost, '');
    await symlink(ofTheHost, join(job, 'workspace', 'link'));
    await chown(join(job, 'workspace', 'deep', 'file'), 0, 0);
    expect(await uids.of(job)).toBe(uid);
    expect((await lstat(ofTheHost)).uid).toBe(0);
    expect((await lstat(join(job, 'workspace', 'deep', 'file'))).uid).toBe(0);
  });
});
