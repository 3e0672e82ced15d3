import { beforeEach, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import {
  commit,
  contentAt,
  history,
  idAt,
  inProject,
  listPaths,
  newBranchPlace,
  newPlace,
  type Place,
  writeFile,
} from '../../testing/samples/sample-files.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();

const placeOn = (branch: string): Promise<Place & { user: TestUser }> =>
  branch === 'main' ? newPlace(service) : newBranchPlace(service, branch);

describe.each(['main', 'feature'])('on %s', (branch) => {
  const isMain = branch === 'main';
  /** Commits that the place has before the test. */
  const earlier = isMain ? 0 : 2;
  let place: Place & { user: TestUser };
  beforeEach(async () => {
    place = await placeOn(branch);
  });

  describe('several changes in one commit', () => {
    test('are answered with 201 and the commit, and all take effect', async () => {
      const first = await writeFile(place, '/old.txt', 'old\n');
      await writeFile(place, '/gone.txt');
      await writeFile(place, '/from.txt', 'moved\n');
      const moved = await idAt(place, '/from.txt');
      const parent = (await history(place)).data[0]?.sha;
      const answer = await commit(
        place,
        [
          { action: 'create', path: '/new/a.txt', content: 'a' },
          { action: 'create', path: '/new/b.bin', content: 'AAE=', encoding: 'base64' },
          { action: 'update', path: '/old.txt', content: 'new\n' },
          { action: 'delete', path: '/gone.txt' },
          { action: 'move', path: '/from.txt', new_path: '/new/to.txt' },
        ],
        { message: 'Much at once' },
      );
      expect(answer.status, answer.text).toBe(201);
      expect(answer.body).toEqual({
        ...(!isMain && { branch }),
        sha: expect.stringMatching(/^[0-9a-f]{40}$/),
        message: 'Much at once',
        message_truncated: false,
        author: { name: place.user.name, email: place.user.email },
        committed_at: expect.stringMatching(/Z$/),
        parents: [parent],
      });
      const paths = ['/new', '/new/a.txt', '/new/b.bin', '/new/to.txt', '/old.txt'];
      expect(await listPaths(place)).toEqual(paths);
      expect(await idAt(place, '/old.txt')).toBe(first.id);
      expect(await idAt(place, '/new/to.txt')).toBe(moved);
      expect(await contentAt(place, '/old.txt')).toBe('new\n');
      expect({ ...(await history(place)).data[0], ...(!isMain && { branch }) }).toEqual(answer.body);
    });

    test.each([
      ['create on an existing path', { action: 'create', path: '/there', content: '' }, 409],
      ['create on a directory', { action: 'create', path: '/dir', content: '' }, 409],
      ['create through a file', { action: 'create', path: '/there/below', content: '' }, 409],
      ['update of nothing', { action: 'update', path: '/nothing', content: '' }, 404],
      ['update of a directory', { action: 'update', path: '/dir', content: '' }, 404],
      ['delete of nothing', { action: 'delete', path: '/nothing' }, 404],
      ['move of nothing', { action: 'move', path: '/nothing', new_path: '/x' }, 404],
      ['move onto a file', { action: 'move', path: '/there', new_path: '/dir/file' }, 409],
      ['move onto itself', { action: 'move', path: '/there', new_path: '/there' }, 409],
      ['move without new_path', { action: 'move', path: '/there' }, 422],
      ['create without content', { action: 'create', path: '/x' }, 422],
      ['bad base64', { action: 'create', path: '/x', content: '!', encoding: 'base64' }, 422],
    ])('are refused as a whole for a %s', async (_what, change, status) => {
      await writeFile(place, '/there', 'as it was');
      await writeFile(place, '/dir/file');
      const objects = () =>
        service.db
          .selectFrom('git_objects')
          .select('sha')
          .where('project_id', '=', place.projectId)
          .orderBy('seq')
          .execute();
      const before = await objects();
      const answer = await commit(place, [
        { action: 'create', path: '/good', content: 'good' },
        { action: 'update', path: '/there', content: 'changed' },
        change,
      ]);
      expect(answer.status, answer.text).toBe(status);
      if (status === 422) expect(answer.text).toContain('changes.2.');
      expect(await listPaths(place)).toEqual(['/dir', '/dir/file', '/there']);
      expect(await contentAt(place, '/there')).toBe('as it was');
      expect((await history(place)).pagination.total).toBe(earlier + 2);
      expect(await objects()).toEqual(before);
    });

    test('let two files swap their places by way of a third path', async () => {
      const a = await writeFile(place, '/a', 'A');
      const b = await writeFile(place, '/b', 'B');
      const answer = await commit(place, [
        { action: 'move', path: '/a', new_path: '/tmp' },
        { action: 'move', path: '/b', new_path: '/a' },
        { action: 'move', path: '/tmp', new_path: '/b' },
      ]);
      expect(answer.status, answer.text).toBe(201);
      expect(await listPaths(place)).toEqual(['/a', '/b']);
      expect([await contentAt(place, '/a'), await contentAt(place, '/b')]).toEqual(['B', 'A']);
      expect([await idAt(place, '/a'), await idAt(place, '/b')]).toEqual([b.id, a.id]);
    });

    test('replace a file by another one at the same path, with a new id', async () => {
      const old = await writeFile(place, '/a', 'old');
      const answer = await commit(place, [
        { action: 'delete', path: '/a' },
        { action: 'create', path: '/a', content: 'new' },
      ]);
      expect(answer.status, answer.text).toBe(201);
      expect(await contentAt(place, '/a')).toBe('new');
      expect(await idAt(place, '/a')).not.toBe(old.id);
      expect(await statsOf()).toMatchObject({ files_count: isMain ? 1 : 0 });
    });

    test('put a moved file in the place of a deleted one, and update it in the same commit', async () => {
      await writeFile(place, '/a', 'A');
      const b = await writeFile(place, '/b', 'B');
      const answer = await commit(place, [
        { action: 'delete', path: '/a' },
        { action: 'move', path: '/b', new_path: '/a' },
        { action: 'update', path: '/a', content: 'B2' },
      ]);
      expect(answer.status, answer.text).toBe(201);
      expect(await listPaths(place)).toEqual(['/a']);
      expect([await contentAt(place, '/a'), await idAt(place, '/a')]).toEqual(['B2', b.id]);
    });

    test('replace a file by a directory', async () => {
      await writeFile(place, '/a', 'A');
      const changes = [
        { action: 'delete', path: '/a' },
        { action: 'create', path: '/a/b', content: 'below' },
      ];
      const answer = await commit(place, changes);
      expect(answer.status, answer.text).toBe(201);
      expect(await listPaths(place)).toEqual(['/a', '/a/b']);
    });

    test('cannot create a file and a directory with the same name', async () => {
      const below = { action: 'create', path: '/x/y', content: '1' };
      const above = { action: 'create', path: '/x', content: '2' };
      for (const changes of [
        [below, above],
        [above, below],
      ]) {
        expectError(await commit(place, changes), { status: 409, code: 'CONFLICT' });
      }
      expect(await listPaths(place)).toEqual([]);
    });

    test('may create files with the same content, and make no new commit if they cancel out', async () => {
      const same = ['/a', '/b', '/c/a'].map((path) => ({ action: 'create', path, content: 'same' }));
      expect((await commit(place, same)).status).toBe(201);
      const head = (await history(place)).data[0];
      const answer = await commit(place, [
        { action: 'create', path: '/x', content: 'x' },
        { action: 'delete', path: '/x' },
      ]);
      expect([answer.status, answer.body.sha]).toEqual([201, head?.sha]);
      const other = await placeOn(branch);
      const nothing = await commit(other, [
        { action: 'create', path: '/x', content: 'x' },
        { action: 'delete', path: '/x' },
      ]);
      if (isMain) expectError(nothing, { status: 409, code: 'CONFLICT' });
      else expect(nothing.body.sha).toBe((await history(other)).data[0]?.sha);
    });

    test('must be at least one and at most a thousand', async () => {
      const many = Array.from({ length: 1001 }, (_, n) => ({ action: 'create', path: `/f${n}`, content: `${n % 7}` }));
      expectError(await commit(place, []), { status: 422, code: 'VALIDATION_ERROR', field: 'changes' });
      expectError(await commit(place, many), { status: 422, code: 'VALIDATION_ERROR', field: 'changes' });
      expect((await commit(place, many.slice(1))).status).toBe(201);
      expect(await statsOf()).toMatchObject({ files_count: isMain ? 1000 : 0 });
    });
  });

  async function statsOf() {
    return service.db
      .selectFrom('project_stats')
      .select(['files_count', 'stored_bytes', 'last_activity'])
      .where('project_id', '=', place.projectId)
      .executeTakeFirstOrThrow();
  }

  describe('an Idempotency-Key', () => {
    const changes = [{ action: 'create', path: '/once', content: '1' }];

    test('makes the commit once and replays its answer', async () => {
      const first = await commit(place, changes, { key: 'one' });
      const second = await commit(place, changes, { key: 'one' });
      expect([first.status, second.status, second.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true']);
      expect(second.body).toEqual(first.body);
      expect((await history(place)).pagination.total).toBe(earlier + 1);
    });

    test('with another body is a 422, and a refused request does not use it up', async () => {
      await commit(place, changes, { key: 'two' });
      const other = [{ action: 'delete', path: '/once' }];
      expectError(await commit(place, other, { key: 'two' }), { status: 422, code: 'VALIDATION_ERROR' });
      expect((await commit(place, changes, { key: 'three' })).status).toBe(409);
      expect((await commit(place, other)).status).toBe(201);
      expect((await commit(place, changes, { key: 'three' })).status).toBe(201);
    });

    test('sent many times in parallel makes one commit; the others are replayed or told to wait', async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => commit(place, changes, { key: 'four' })));
      const made = answers.filter(({ status }) => status === 201);
      expect(new Set(made.map(({ body }) => body.sha)).size).toBe(1);
      expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
      expect((await inProject<{ pagination: { total: number } }>(place, 'GET', '/commits')).body.pagination.total).toBe(
        earlier + 1,
      );
    });
  });
});
