import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Branch, Commit, CommitDetail } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import {
  commit,
  history,
  inProject,
  listFiles,
  listPaths,
  newPlace,
  type Place,
  writeFile,
} from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { useGitRepository } from '../objects/git-repository.fixture.ts';

const service = useTestService();
const repository = useGitRepository();

async function made(place: Place, changes: Parameters<typeof commit>[1], message = 'Change'): Promise<Commit> {
  const answer = await commit(place, changes, { message });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

const readCommit = (place: Place, sha: string) => inProject<CommitDetail>(place, 'GET', `/commits/${sha}`);

describe('the list of commits', () => {
  let place: Place;
  const shas: string[] = [];
  beforeAll(async () => {
    place = await newPlace(service);
    for (let n = 1; n <= 5; n++) shas.unshift((await writeFile(place, '/a.txt', `${n}\n`)).commit_sha ?? '');
  });

  test('of a project without a file is empty', async () => {
    expect((await history(await newPlace(service), '')).pagination.total).toBe(0);
  });

  test('is newest first, in pages with links, and shows the parent of each commit', async () => {
    const { data } = await history(place);
    expect(data.map(({ sha }) => sha)).toEqual(shas);
    expect(data.map(({ parents }) => parents)).toEqual([...shas.slice(1).map((sha) => [sha]), []]);
    const answer = await inProject<{ data: Commit[] }>(place, 'GET', '/commits?limit=2&page=2');
    expect(answer.body.data.map(({ sha }) => sha)).toEqual(shas.slice(2, 4));
    expect(answer.body).toMatchObject({ pagination: { page: 2, limit: 2, total: 5, total_pages: 3 } });
    expect(answer.headers.get('link')).toMatch(/page=3.*rel="next"/);
    expect((await history(place, '?page=9')).pagination.total).toBe(5);
  });

  test('continues with the next link where the page ended, even if there are newer commits', async () => {
    const grown = await newPlace(service);
    const written: string[] = [];
    for (let n = 1; n <= 5; n++) written.unshift((await writeFile(grown, '/a.txt', `${n}\n`)).commit_sha ?? '');
    const first = await inProject<{ data: Commit[] }>(grown, 'GET', '/commits?limit=2');
    const [, next = ''] = /\/commits(\?[^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? [];
    expect(next).toContain('page=2');
    await writeFile(grown, '/a.txt', 'newer\n');
    const second = await inProject<{ data: Commit[] }>(grown, 'GET', `/commits${next}`);
    expect(second.body.data.map(({ sha }) => sha)).toEqual(written.slice(2, 4));
    expect(second.body).toMatchObject({ pagination: { page: 2, total: 6 } });
    expect(second.headers.get('link')).not.toMatch(/cursor=[^>]*>; rel="(first|prev|last)"/);
  });

  test('starts at a ref: a branch, a commit id or the beginning of a commit id', async () => {
    const third = shas[2] ?? '';
    await inProject(place, 'POST', '/branches', { json: { name: 'older', from: third } });
    for (const ref of ['older', third, third.slice(0, 7)]) {
      expect((await history(place, `?ref=${ref}`)).data.map(({ sha }) => sha)).toEqual(shas.slice(2));
    }
    for (const ref of ['nothing', '0'.repeat(40), 'a', '../main']) {
      expectError(await inProject(place, 'GET', `/commits?ref=${ref}`), { status: 404, code: 'NOT_FOUND' });
    }
  });

  test.each(['limit=0', 'limit=101', 'page=0', 'page=x', 'cursor=abc'])('with %s is a 400', async (query) => {
    expectError(await inProject(place, 'GET', `/commits?${query}`), { status: 400, code: 'VALIDATION_ERROR' });
  });
});

describe('the list of commits with ?path=', () => {
  test('has only commits that changed the file or anything below the directory', async () => {
    const place = await newPlace(service);
    const one = await made(place, [{ action: 'create', path: '/src/a.txt', content: '1' }]);
    const two = await made(place, [{ action: 'create', path: '/b.txt', content: '1' }]);
    const three = await made(place, [{ action: 'update', path: '/src/a.txt', content: '2' }]);
    const four = await made(place, [{ action: 'delete', path: '/src/a.txt' }]);
    const shas = async (path: string) => (await history(place, `?path=${path}`)).data.map(({ sha }) => sha);
    expect(await shas('/src/a.txt')).toEqual([four.sha, three.sha, one.sha]);
    expect(await shas('/src')).toEqual([four.sha, three.sha, one.sha]);
    expect(await shas('/b.txt')).toEqual([two.sha]);
    expect(await shas('/nothing')).toEqual([]);
    expect(await shas('/')).toHaveLength(4);
    const page = await history(place, '?path=/src&limit=1&page=2');
    expect(page.data.map(({ sha }) => sha)).toEqual([three.sha]);
    expect(page.pagination).toMatchObject({ total: 3, total_pages: 3 });
  });
});

describe('a single commit', () => {
  test('shows what happened to each file, and git can apply its diffs', async () => {
    const place = await newPlace(service);
    const before: Record<string, string> = {
      'kept.txt': 'kept\n',
      'edited.txt': Array.from({ length: 30 }, (_, n) => `line ${n}\n`).join(''),
      'gone/old.txt': 'old\n',
      'plain.txt': 'no line break at the end',
      'rename me.txt': 'the very same\ncontent\n',
    };
    const create = Object.entries(before).map(([path, content]) => ({ action: 'create', path: `/${path}`, content }));
    await made(place, create);
    const edited = before['edited.txt']?.replace('line 3\n', 'LINE 3\nand more\n').replace('line 25\n', '') ?? '';
    const { sha } = await made(place, [
      { action: 'update', path: '/edited.txt', content: edited },
      { action: 'delete', path: '/gone/old.txt' },
      { action: 'create', path: '/new/é.txt', content: 'one\ntwo\n' },
      { action: 'update', path: '/plain.txt', content: 'now with one\n' },
      { action: 'move', path: '/rename me.txt', new_path: '/renamed.txt' },
    ]);
    const { status, body } = await readCommit(place, sha);
    expect(status).toBe(200);
    expect(body.files.map(({ diff, ...file }) => [...Object.values(file), typeof diff])).toEqual([
      ['/edited.txt', null, 'modified', 2, 2, 'string'],
      ['/gone/old.txt', null, 'deleted', 0, 1, 'string'],
      ['/new/é.txt', null, 'added', 2, 0, 'string'],
      ['/plain.txt', null, 'modified', 1, 1, 'string'],
      ['/renamed.txt', '/rename me.txt', 'renamed', 0, 0, 'string'],
    ]);
    for (const [path, content] of Object.entries(before)) {
      mkdirSync(join(repository.directory, path, '..'), { recursive: true });
      writeFileSync(join(repository.directory, path), content);
    }
    repository.git(['add', '--all']);
    const patch = body.files.map(({ diff }) => diff).join('');
    repository.git(['apply', '--index'], patch);
    expect(readFileSync(join(repository.directory, 'edited.txt'), 'utf8')).toBe(edited);
    const { rows } = await service.pool.query(
      "select encode(tree_sha, 'hex') as tree from git_commits where project_id = $1 and encode(sha, 'hex') = $2",
      [place.projectId, sha],
    );
    expect(repository.line(['write-tree'])).toBe(rows[0]?.tree);
  });

  test('has as many diffs as requested, and any other diff by its path', async () => {
    const place = await newPlace(service);
    await made(place, [{ action: 'create', path: '/a.txt', content: 'a\n' }]);
    const { sha } = await made(place, [
      { action: 'move', path: '/a.txt', new_path: '/b.txt' },
      ...['/c.txt', '/d.txt'].map((path) => ({ action: 'create', path, content: 'one\ntwo\n' })),
    ]);
    const few = (await readCommit(place, `${sha}?diffs=1`)).body;
    expect(few.truncated).toBe(false);
    expect(few.files.map(({ path, additions, diff }) => [path, additions, typeof diff])).toEqual([
      ['/b.txt', 0, 'string'],
      ['/c.txt', 0, 'object'],
      ['/d.txt', 0, 'object'],
    ]);
    const { files } = (await readCommit(place, `${sha}?path=/d.txt`)).body;
    expect(files).toMatchObject([{ path: '/d.txt', status: 'added', additions: 2 }]);
    expect(files[0]?.diff).toContain('+two');
    expect((await readCommit(place, `${sha}?path=/b.txt`)).body.files).toMatchObject([{ previous_path: '/a.txt' }]);
    expect((await readCommit(place, `${sha}?path=/none.txt`)).body.files).toEqual([]);
    expectError(await readCommit(place, `${sha}?diffs=301`), { status: 400, code: 'VALIDATION_ERROR' });
  });

  test('is found by the beginning of its id, and has no diff for binary files', async () => {
    const place = await newPlace(service);
    const change = { action: 'create', path: '/x.bin', content: 'AAEC', encoding: 'base64' };
    const { sha } = await made(place, [change]);
    const { body } = await readCommit(place, sha.slice(0, 10));
    expect(body).toMatchObject({ sha, parents: [], files: [{ path: '/x.bin', status: 'added', diff: null }] });
    for (const other of ['0'.repeat(40), 'main', sha.slice(0, 6), 'HEAD', '%00']) {
      expectError(await readCommit(place, other), { status: 404, code: 'NOT_FOUND' });
    }
  });
});

describe('files at a ref', () => {
  test('are listed and read as they were, with the same id as at the head if the path still exists there', async () => {
    const place = await newPlace(service);
    const stays = await writeFile(place, '/dir/stays.txt', 'first');
    const goes = await writeFile(place, '/goes.txt', 'here once');
    const sha = goes.commit_sha ?? '';
    await inProject(place, 'POST', '/branches', { json: { name: 'then' } });
    await writeFile(place, '/dir/stays.txt', 'second');
    await inProject(place, 'DELETE', `/files/${goes.id}`);
    for (const ref of [sha, sha.slice(0, 8), 'then']) {
      const listed = await listFiles(place, `?recursive=true&ref=${ref}`);
      expect(listed.map(({ path }) => path)).toEqual(['/dir', '/dir/stays.txt', '/goes.txt']);
      expect(listed[1]).toMatchObject({ id: stays.id, size: 5, checksum: stays.checksum, mime_type: 'text/plain' });
      const old = await inProject(place, 'GET', `/files/${stays.id}/content?ref=${ref}`);
      expect([old.text, old.headers.get('etag')]).toEqual(['first', `"${stays.checksum}"`]);
      const gone = await inProject(place, 'GET', `/files/${listed[2]?.id}/content?ref=${ref}`);
      expect(gone.text).toBe('here once');
      expect(await listPaths(place, `?ref=${ref}&path=/dir`)).toEqual(['/dir/stays.txt']);
      expect(await listPaths(place, `?ref=${ref}&type=directory`)).toEqual(['/dir']);
    }
    expect(await listPaths(place, '?recursive=true&ref=main')).toEqual(['/dir', '/dir/stays.txt']);
    for (const path of ['/files?ref=no', '/files?ref=main&path=/no', `/files/${stays.id}/content?ref=no`]) {
      expectError(await inProject(place, 'GET', path), { status: 404, code: 'NOT_FOUND' });
    }
    expectError(await inProject(place, 'GET', `/files/${goes.id}/content?ref=main`), {
      status: 404,
      code: 'NOT_FOUND',
    });
  });
});

test('a ref with a character that no ref can have is not found', async () => {
  const place = await newPlace(service);
  const { id } = await writeFile(place, '/a');
  for (const path of ['/files?ref=a%00', '/archive?ref=a%00', '/commits?ref=a%00', `/files/${id}/content?ref=a%00`]) {
    expectError(await inProject(place, 'GET', path), { status: 404, code: 'NOT_FOUND' });
  }
  const branch = await inProject(place, 'POST', '/branches', { json: { name: 'x', from: 'a\u0000' } });
  expectError(branch, { status: 422, code: 'VALIDATION_ERROR', field: 'from' });
});

describe('a branch', () => {
  let place: Place;
  let head: string;
  beforeAll(async () => {
    place = await newPlace(service);
    head = (await writeFile(place, '/a')).commit_sha ?? '';
  });
  const create = (json: unknown) => inProject<Branch>(place, 'POST', '/branches', { json });
  const names = async () => (await inProject<{ data: Branch[] }>(place, 'GET', '/branches')).body.data;

  test('is created at the head or at another ref, listed, and deleted', async () => {
    const answer = await create({ name: 'feature/one' });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toMatchObject({ name: 'feature/one', sha: head, is_default: false });
    expect((await create({ name: 'two', from: 'feature/one' })).status).toBe(201);
    expect((await names()).map(({ name, is_default }) => [name, is_default])).toEqual([
      ['feature/one', false],
      ['main', true],
      ['two', false],
    ]);
    for (const name of ['feature/one', 'two']) {
      expect((await inProject(place, 'DELETE', `/branches/${name}`)).status).toBe(204);
    }
    await create({ name: 'feature/one' });
    expect((await inProject(place, 'DELETE', '/branches/feature%2Fone')).status).toBe(204);
    expect((await names()).map(({ name }) => name)).toEqual(['main']);
  });

  test('is read by its name, in which a slash may be encoded', async () => {
    await create({ name: 'release/1' });
    const read = (name: string) => inProject<Branch>(place, 'GET', `/branches/${name}`);
    for (const name of ['release/1', 'release%2F1']) {
      expect((await read(name)).body).toMatchObject({ name: 'release/1', sha: head, is_default: false });
    }
    expect((await read('main')).body).toMatchObject({ name: 'main', is_default: true });
    for (const name of ['release', 'mai', 'a..b']) expectError(await read(name), { status: 404, code: 'NOT_FOUND' });
    await inProject(place, 'DELETE', '/branches/release/1');
  });

  test('needs a name that git allows and a commit to start at', async () => {
    for (const name of ['@', 'a..b', '/a', 'a/', 'a.lock', '-a', 'a b', 'a~1', 'HEAD', '']) {
      expectError(await create({ name }), { status: 422, code: 'VALIDATION_ERROR', field: 'name' });
    }
    expectError(await create({ name: 'x', from: 'no' }), { status: 422, code: 'VALIDATION_ERROR', field: 'from' });
    const empty = await newPlace(service);
    const answer = await inProject(empty, 'POST', '/branches', { json: { name: 'x' } });
    expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field: 'from' });
  });

  test('with a name that is taken, or that conflicts with one, is a 409, as is deleting the default branch', async () => {
    await create({ name: 'deep/er' });
    for (const name of ['main', 'deep/er', 'deep', 'deep/er/still']) {
      expectError(await create({ name }), { status: 409, code: 'CONFLICT' });
    }
    expectError(await inProject(place, 'DELETE', '/branches/main'), { status: 409, code: 'CONFLICT' });
    expectError(await inProject(place, 'DELETE', '/branches/none'), { status: 404, code: 'NOT_FOUND' });
    expectError(await inProject(place, 'DELETE', '/branches/deep'), { status: 404, code: 'NOT_FOUND' });
  });
});
