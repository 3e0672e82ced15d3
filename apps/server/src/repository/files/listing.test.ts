import type { File } from '@bottega/contract';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { rowsRead } from '../../testing/parts/rows-read.ts';
import {
  commit,
  contentAt,
  history,
  idAt,
  inProject,
  listFiles,
  listPaths,
  newPlace,
  type Place,
  writeFile,
} from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { listHead } from '../store/index.ts';

const service = useTestService();

async function furnished(): Promise<Place> {
  const place = await newPlace(service);
  for (const path of ['/b.txt', '/a/one.txt', '/a/b/two.txt', '/a.txt', '/a-b/three.txt']) await writeFile(place, path);
  return place;
}

/** Follows the links from page to page. */
async function followPages(place: Place, first: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let query = first; query !== ''; ) {
    const answer = await inProject<{ data: File[] }>(place, 'GET', `/files${query}`);
    expect(answer.status, answer.text).toBe(200);
    pages.push(answer.body.data.map(({ path }) => path));
    query = /\/files(\?[^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? '';
  }
  return pages;
}

test('a paged list of files is complete, at the head and at a ref, and each page reads only its own rows', async () => {
  const place = await newPlace(service);
  const changes = Array.from({ length: 400 }, (_, n) => ({
    action: 'create',
    path: `/d${n % 7}/é ${n}.txt`,
    content: 'x',
  }));
  expect((await commit(place, changes)).status).toBe(201);
  const whole = await listPaths(place);
  expect(whole).toHaveLength(407);
  for (const ref of ['', '&ref=main']) {
    const pages = await followPages(place, `?recursive=true&limit=100${ref}`);
    expect(pages.map(({ length }) => length)).toEqual([100, 100, 100, 100, 7]);
    expect(pages.flat()).toEqual(whole);
  }
  expect((await followPages(place, '?limit=3')).map(({ length }) => length)).toEqual([3, 3, 1]);
  const listing = { directory: '', recursive: true, type: undefined, after: whole[200] };
  const limits = { rowOverheadBytes: 400, maxBytes: 1_000_000, maxRows: 10 };
  const read = await rowsRead(service.db, 'files', async (trx) => {
    // A scan and a sort are often cheaper for so few rows. This checks that a plan without them exists.
    await sql`select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'off', true),
      set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true)`.execute(trx);
    await listHead(trx, place.projectId, listing, limits);
  });
  expect(read).toBeLessThan(15);
});

describe('the list of files', () => {
  let place: Place;
  beforeAll(async () => {
    place = await furnished();
  });

  test('of a new project is empty', async () => {
    expect(await listFiles(await newPlace(service))).toEqual([]);
  });

  test('has the files and directories of one level, ordered by path', async () => {
    expect(await listPaths(place, '')).toEqual(['/a', '/a-b', '/a.txt', '/b.txt']);
    expect(await listPaths(place, '?path=/a')).toEqual(['/a/b', '/a/one.txt']);
    expect(await listPaths(place, '?path=/a/')).toEqual(['/a/b', '/a/one.txt']);
    expect(await listPaths(place, '?path=/')).toEqual(['/a', '/a-b', '/a.txt', '/b.txt']);
  });

  test('has everything below the directory if it is recursive', async () => {
    const all = ['/a', '/a-b', '/a-b/three.txt', '/a.txt', '/a/b', '/a/b/two.txt', '/a/one.txt', '/b.txt'];
    expect(await listPaths(place, '?recursive=true')).toEqual(all);
    expect(await listPaths(place, '?recursive=true&path=/a')).toEqual(['/a/b', '/a/b/two.txt', '/a/one.txt']);
  });

  test('has only one type if asked to', async () => {
    expect(await listPaths(place, '?type=file')).toEqual(['/a.txt', '/b.txt']);
    expect(await listPaths(place, '?recursive=true&type=directory')).toEqual(['/a', '/a-b', '/a/b']);
    expect(await listPaths(place, '?path=/a/b&type=directory')).toEqual([]);
  });

  test('has the documented fields, and those of files only for files', async () => {
    const [directory, , file] = await listFiles(place, '');
    expect(directory).toEqual({
      id: expect.stringMatching(/^dir_[0-9a-z]{26}$/),
      name: 'a',
      path: '/a',
      type: 'directory',
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    expect(file).toMatchObject({ name: 'a.txt', type: 'file', size: 5, mime_type: 'text/plain' });
    expect(file?.checksum).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  test('of an unknown directory, or of a file, is a 404', async () => {
    for (const path of ['/nothing', '/a/nothing', '/a.txt', '/A']) {
      expectError(await inProject(place, 'GET', `/files?path=${path}`), { status: 404, code: 'NOT_FOUND' });
    }
  });

  test.each(['type=link', 'recursive=maybe'])('with ?%s is a 400', async (query) => {
    expectError(await inProject(place, 'GET', `/files?${query}`), { status: 400, code: 'VALIDATION_ERROR' });
  });
});

describe('a directory', () => {
  test('keeps its id while it contains something, and disappears with its last file', async () => {
    const place = await furnished();
    const id = await idAt(place, '/a/b');
    await writeFile(place, '/a/b/more.txt');
    await inProject(place, 'DELETE', `/files/${await idAt(place, '/a/b/two.txt')}`);
    expect(await idAt(place, '/a/b')).toBe(id);
    await inProject(place, 'DELETE', `/files/${await idAt(place, '/a/b/more.txt')}`);
    expect(await listPaths(place, '?path=/a')).toEqual(['/a/one.txt']);
    expectError(await inProject(place, 'GET', '/files?path=/a/b'), { status: 404, code: 'NOT_FOUND' });
  });

  test('is deleted by its id with everything in it, in one commit', async () => {
    const place = await furnished();
    const before = (await history(place)).pagination.total;
    const answer = await inProject(place, 'DELETE', `/files/${await idAt(place, '/a')}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await listPaths(place)).toEqual(['/a-b', '/a-b/three.txt', '/a.txt', '/b.txt']);
    expect((await history(place)).pagination.total).toBe(before + 1);
  });

  test('moves with everything in it, in one commit, and all ids stay the same', async () => {
    const place = await furnished();
    const before = await listFiles(place);
    const total = (await history(place)).pagination.total;
    const answer = await inProject<File>(place, 'POST', `/files/${await idAt(place, '/a')}/move`, {
      json: { path: '/c/d' },
    });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ name: 'd', path: '/c/d', type: 'directory' });
    expect(await listPaths(place)).toEqual([
      ...['/a-b', '/a-b/three.txt', '/a.txt', '/b.txt', '/c', '/c/d', '/c/d/b', '/c/d/b/two.txt', '/c/d/one.txt'],
    ]);
    expect((await history(place)).pagination.total).toBe(total + 1);
    for (const { id, path } of before.filter((one) => one.path === '/a' || one.path.startsWith('/a/'))) {
      expect(await idAt(place, path.replace('/a', '/c/d')), path).toBe(id);
    }
    expect(await contentAt(place, '/c/d/b/two.txt')).toBe('text\n');
  });

  test('cannot be moved into itself or onto something that exists', async () => {
    const place = await furnished();
    const id = await idAt(place, '/a');
    for (const path of ['/a', '/a/b/c', '/a-b', '/b.txt', '/b.txt/c']) {
      const answer = await inProject(place, 'POST', `/files/${id}/move`, { json: { path } });
      expectError(answer, { status: 409, code: 'CONFLICT' });
    }
    expect(await idAt(place, '/a')).toBe(id);
  });

  test('has no content (422) and cannot be shared (404)', async () => {
    const place = await furnished();
    const id = await idAt(place, '/a');
    const content = await inProject(place, 'GET', `/files/${id}/content`);
    expectError(content, { status: 422, code: 'VALIDATION_ERROR', field: 'file_id' });
    const atRef = await inProject(place, 'GET', `/files/${id}/content?ref=main`);
    expectError(atRef, { status: 422, code: 'VALIDATION_ERROR', field: 'file_id' });
    expectError(await inProject(place, 'POST', `/files/${id}/share`, { json: {} }), { status: 404, code: 'NOT_FOUND' });
  });
});

test('deleting the last file leaves an empty project, and an empty tree in git', async () => {
  const place = await newPlace(service);
  const { id } = await writeFile(place, '/x/y');
  expect((await inProject(place, 'DELETE', `/files/${id}`)).status).toBe(204);
  expect(await listFiles(place)).toEqual([]);
  const { rows } = await service.pool.query(
    `select encode(c.tree_sha, 'hex') as tree from git_commits c join git_refs r using (project_id, sha)
     where project_id = $1`,
    [place.projectId],
  );
  expect(rows).toEqual([{ tree: '4b825dc642cb6eb9a060e54bf8d69288fbee4904' }]);
  await writeFile(place, '/again');
  expect(await listPaths(place)).toEqual(['/again']);
});
