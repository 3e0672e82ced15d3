import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../foundation/ids.ts';
import { openWorkspaceDisk } from './disk.ts';

describe("the worker's disk", () => {
  let root = '';
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'bottega-disk-'));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  /** A project with a tree that no workspace uses, whose last workspace was removed two hours ago. */
  async function leftProject(disk: ReturnType<typeof openWorkspaceDisk>): Promise<string> {
    const projectId = newId('prj');
    await disk.open(projectId, newId('wks'));
    for (const { id } of (await disk.list()).filter((one) => one.projectId === projectId)) {
      await disk.remove(projectId, id);
    }
    mkdirSync(join(root, projectId, 'trees/a'), { recursive: true });
    writeFileSync(join(root, projectId, 'trees/a/file'), '');
    const before = Date.now() / 1000 - 7_200;
    utimesSync(join(root, projectId, 'workspaces'), before, before);
    return projectId;
  }

  test('frees the directory and the uid of a project that has had no workspace for an hour', async () => {
    const disk = openWorkspaceDisk(root, async () => undefined);
    const left = await leftProject(disk);
    const { uid } = await stat(join(root, left));
    await disk.tidy();
    expect(existsSync(join(root, left))).toBe(false);
    const next = newId('prj');
    await disk.open(next, newId('wks'));
    expect((await stat(join(root, next))).uid).toBe(uid);
  });

  test('keeps the trees of a project that has a workspace, or had one until just now', async () => {
    const disk = openWorkspaceDisk(root, async () => undefined);
    const [used, recent] = [await leftProject(disk), newId('prj')];
    await disk.open(used, newId('wks'));
    const id = newId('wks');
    await disk.open(recent, id);
    mkdirSync(join(root, recent, 'trees/a'));
    await disk.remove(recent, id);
    await disk.tidy();
    expect(existsSync(join(root, used, 'trees/a/file'))).toBe(true);
    expect(existsSync(join(root, recent, 'trees/a'))).toBe(true);
  });

  test('removes what a stopped worker had set aside', async () => {
    mkdirSync(join(root, 'gone-1'));
    await openWorkspaceDisk(root, async () => undefined).tidy();
    expect(existsSync(join(root, 'gone-1'))).toBe(false);
  });
});
