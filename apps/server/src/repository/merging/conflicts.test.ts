import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { MergeConflict } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { contentAt, listPaths } from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { type Clone, useGitClient } from '../smart-http/git-client.fixture.ts';
import { type Branched, branched, merge, merged, refusalIn, type Sides } from './merging.fixture.ts';

const service = useTestService();
const client = useGitClient(service);
const notValid = { status: 422, code: 'VALIDATION_ERROR' } as const;

const content = {
  base: { 'a.txt': '1\n2\n3\n' },
  ours: { 'a.txt': '1\nours\n3\n' },
  theirs: { 'a.txt': '1\ntheirs\n3\n' },
};

async function conflictsOf(place: Branched): Promise<MergeConflict[]> {
  const { reason, conflicts = [] } = refusalIn(await merge(place));
  expect(reason).toBe('conflicts');
  return conflicts;
}

/** Like `branched`, for sides that change more than the contents of files. */
async function branchedBy(steps: Record<keyof Sides, (clone: Clone) => Promise<unknown>>): Promise<Branched> {
  const place = await branched(service, client, { base: { base: '' }, ours: {}, theirs: {} });
  const { clone } = place;
  await clone.git('checkout', '--quiet', '-B', 'feature', 'main');
  const side = async (step: (clone: Clone) => Promise<unknown>) => {
    await step(clone);
    await clone.commit('Step');
  };
  await side(steps.base);
  await clone.git('checkout', '--quiet', '-B', 'main');
  await side(steps.ours);
  await clone.git('checkout', '--quiet', 'feature');
  await side(steps.theirs);
  await clone.git('push', '--quiet', '--force', 'origin', 'main', 'feature');
  return place;
}

const put = (path: string, text: string | Buffer) => (clone: Clone) => clone.write(path, text);

describe('a conflict is reported', () => {
  test('for content, with both sides, their base and the merge result of git', async () => {
    const [conflict, ...others] = await conflictsOf(await branched(service, client, content));
    expect(others).toEqual([]);
    expect(conflict).toMatchObject({
      path: '/a.txt',
      kind: 'content',
      binary: false,
      base: { mode: '100644', content: '1\n2\n3\n' },
      ours: { content: '1\nours\n3\n' },
      theirs: { content: '1\ntheirs\n3\n' },
      merged: '1\n<<<<<<< main\nours\n=======\ntheirs\n>>>>>>> feature\n3\n',
    });
  });

  test('with markers that contain the exact name of a branch, even with special characters', async () => {
    const place = await branched(service, client, content);
    await place.clone.git('push', '--quiet', 'origin', 'feature:a$&b', 'main:$1$$');
    const { conflicts } = refusalIn(await merge(place, { source: 'a$&b', target: '$1$$' }));
    expect(conflicts?.[0]?.merged).toBe('1\n<<<<<<< $1$$\nours\n=======\ntheirs\n>>>>>>> a$&b\n3\n');
  });

  test('for a file that both sides added, and for one that only one side still has', async () => {
    const place = await branched(service, client, {
      base: { gone: 'one\n' },
      ours: { new: 'ours\n', gone: null },
      theirs: { new: 'theirs\n', gone: 'changed\n' },
    });
    expect(await conflictsOf(place)).toMatchObject([
      { path: '/gone', kind: 'modify/delete', ours: null, theirs: { content: 'changed\n' }, merged: null },
      { path: '/new', kind: 'add/add', base: null, merged: expect.stringContaining('<<<<<<< main\nours') },
    ]);
  });

  test('for renames', async () => {
    const text = Array.from({ length: 20 }, (_, n) => `line ${n}\n`).join('');
    const place = await branchedBy({
      base: async (clone) => {
        await clone.write('both', text);
        await clone.write('gone', `gone\n${text}`);
      },
      ours: async (clone) => {
        await clone.git('mv', 'both', 'ours');
        await clone.git('rm', '--quiet', 'gone');
      },
      theirs: async (clone) => {
        await clone.git('mv', 'both', 'theirs');
        await clone.git('mv', 'gone', 'moved');
      },
    });
    const told = (await conflictsOf(place)).map(({ path, kind }) => [path, kind]);
    expect(told).toEqual([
      ['/both', 'rename/rename'],
      ['/moved', 'rename/delete'],
      ['/ours', 'rename/rename'],
      ['/theirs', 'rename/rename'],
    ]);
  });

  test('for binary files, without their content', async () => {
    const bytes = (last: number) => ({ 'a.bin': Buffer.from([0, 255, last]) });
    const place = await branched(service, client, { base: bytes(1), ours: bytes(2), theirs: bytes(3) });
    expect(await conflictsOf(place)).toMatchObject([
      { path: '/a.bin', kind: 'content', binary: true, ours: { content: null }, merged: null },
    ]);
  });

  test('for symbolic links, submodules, modes and kinds of files', async () => {
    const link = (target: string) => (clone: Clone) => symlink(target, join(clone.directory, 'link'));
    const relink = (target: string) => async (clone: Clone) => {
      await clone.git('rm', '--quiet', 'link');
      await link(target)(clone);
    };
    const submodule = (digit: string) => async (clone: Clone) =>
      clone.git('update-index', '--add', '--cacheinfo', `160000,${digit.repeat(40)},sub`);
    const place = await branchedBy({
      base: link('a'),
      ours: async (clone) => {
        await relink('b')(clone);
        await put('mode', 'same\n')(clone);
        await put('kind', 'text\n')(clone);
        await clone.git('add', '--all');
        await clone.git('update-index', '--chmod=+x', 'mode');
        await submodule('1')(clone);
        await clone.git('commit', '--quiet', '-m', 'Ours');
        await clone.git('reset', '--quiet', '--hard');
      },
      theirs: async (clone) => {
        await relink('c')(clone);
        await put('mode', 'same\n')(clone);
        await symlink('x', join(clone.directory, 'kind'));
        await clone.git('add', '--all');
        await submodule('2')(clone);
        await clone.git('commit', '--quiet', '-m', 'Theirs');
        await clone.git('reset', '--quiet', '--hard');
      },
    });
    const told = new Map((await conflictsOf(place)).map((conflict) => [conflict.path, conflict]));
    expect(told.get('/link')).toMatchObject({ ours: { mode: '120000', content: 'b' }, merged: null });
    expect(told.get('/mode')).toMatchObject({ kind: 'mode', ours: { mode: '100755' }, theirs: { mode: '100644' } });
    expect(told.get('/sub')).toMatchObject({ kind: 'submodule', ours: { mode: '160000', content: null } });
    expect([...told.values()].map(({ kind }) => kind)).toContain('type');
  });
});

describe('resolutions of conflicts', () => {
  test('make the commit if they cover every conflict, with their content', async () => {
    const place = await branched(service, client, content);
    const { source_sha, target_sha } = refusalIn(await merge(place));
    const resolutions = [{ path: '/a.txt', content: '1\nboth\n3\n' }];
    const commit = await merged(place, { resolutions, source_sha, target_sha });
    expect(commit.parents).toEqual([target_sha, source_sha]);
    expect(await contentAt(place, '/a.txt')).toBe('1\nboth\n3\n');
    await place.clone.git('pull', '--quiet');
    await place.clone.git('fsck', '--strict');
  });

  test('can delete a file, take one side, or contain bytes', async () => {
    const sides = (text: string) => ({ one: text, two: text, three: text, four: text });
    const place = await branched(service, client, { base: sides('0'), ours: sides('1'), theirs: sides('2') });
    await merged(place, {
      resolutions: [
        { path: '/one', delete: true },
        { path: '/two', take: 'ours' },
        { path: '/three', take: 'theirs' },
        { path: 'four', content: 'AP8=', encoding: 'base64' },
      ],
    });
    expect(await listPaths(place)).toEqual(['/four', '/three', '/two']);
    expect([await contentAt(place, '/two'), await contentAt(place, '/three')]).toEqual(['1', '2']);
    await place.clone.git('pull', '--quiet');
    expect((await readFile(join(place.clone.directory, 'four'))).toString('hex')).toBe('00ff');
  });

  test('can take the side that deleted the file, or the side that kept it', async () => {
    const place = await branched(service, client, {
      base: { gone: 'one\n', kept: 'one\n' },
      ours: { gone: null, kept: null },
      theirs: { gone: 'changed\n', kept: 'changed\n' },
    });
    const resolutions = [
      { path: '/gone', take: 'ours' as const },
      { path: '/kept', take: 'theirs' as const },
    ];
    await merged(place, { resolutions });
    expect(await listPaths(place)).toEqual(['/kept']);
  });

  test('are refused if some conflicts remain, which are listed', async () => {
    const sides = (text: string) => ({ one: text, two: text });
    const place = await branched(service, client, { base: sides('0'), ours: sides('1'), theirs: sides('2') });
    const { conflicts } = refusalIn(await merge(place, { resolutions: [{ path: '/one', take: 'ours' }] }));
    expect(conflicts?.map(({ path }) => path)).toEqual(['/two']);
  });

  test('are refused for a path without conflict, a bad path, a path given twice, and with no or two ways', async () => {
    const place = await branched(service, client, content);
    const refused = async (...resolutions: { path: string; content?: string; delete?: true; take?: 'ours' }[]) =>
      merge(place, { resolutions });
    expectError(await refused({ path: '/other', take: 'ours' }), { ...notValid, field: 'resolutions.0.path' });
    for (const path of ['/.git/config', '/../a', '/a//b', '/.GIT/hooks']) {
      expectError(await refused({ path, content: 'x' }), { ...notValid, field: 'resolutions.0.path' });
    }
    const twice = { path: '/a.txt', content: 'x' };
    expectError(await refused(twice, twice), { ...notValid, field: 'resolutions.1.path' });
    expectError(await refused({ path: '/a.txt' }), { ...notValid, field: 'resolutions.0' });
    expectError(await refused({ ...twice, delete: true }), { ...notValid, field: 'resolutions.0' });
    expectError(await merge(place, { strategy: 'squash', resolutions: [{ path: '/b', take: 'ours' }] }), notValid);
    expect(await contentAt(place, '/a.txt')).toBe('1\nours\n3\n');
  });
});
