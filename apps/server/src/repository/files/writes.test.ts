import { createHash } from 'node:crypto';
import type { WrittenFile } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import {
  contentAt,
  history,
  idAt,
  inProject,
  newPlace,
  type Place,
  putFile,
  writeFile,
} from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { hashObject } from '../objects/objects.ts';
import { expectRowsToBeTheTree } from '../store/head-tree.fixture.ts';

const service = useTestService({ settings: { BOTTEGA_FILE_LIMIT: '2048' } });
let place: Place;
beforeAll(async () => {
  place = await newPlace(service);
});

const checksumOf = (content: string | Buffer) => `sha256:${createHash('sha256').update(content).digest('hex')}`;

async function rowAt(path: string) {
  return service.db
    .selectFrom('files')
    .selectAll()
    .where('project_id', '=', place.projectId)
    .where('path', '=', path)
    .executeTakeFirstOrThrow();
}

function putBytes(path: string, body: string | Uint8Array<ArrayBuffer>, type = 'application/octet-stream') {
  const query = `?path=${encodeURIComponent(path)}`;
  return inProject<WrittenFile>(place, 'PUT', `/files${query}`, { body, headers: { 'content-type': type } });
}

describe('PUT of a file', () => {
  test('creates a file with 201, all fields, an ETag and a commit, and stores its blob', async () => {
    const answer = await putFile(place, { path: '/src/main.ts', content: 'const one = 1;\n', encoding: 'utf-8' });
    expect(answer.status, answer.text).toBe(201);
    const checksum = checksumOf('const one = 1;\n');
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^fil_[0-9a-z]{26}$/),
      name: 'main.ts',
      path: '/src/main.ts',
      type: 'file',
      size: 15,
      mime_type: 'text/x-typescript',
      created_at: expect.stringMatching(/Z$/),
      updated_at: answer.body.created_at,
      checksum,
      commit_sha: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    expect(answer.headers.get('etag')).toBe(`"${checksum}"`);
    expect(await rowAt('/src/main.ts')).toMatchObject({
      id: answer.body.id,
      parent: '/src',
      blob_sha: hashObject('blob', Buffer.from('const one = 1;\n')),
      executable: false,
      size: 15,
    });
    expect(await contentAt(place, '/src/main.ts')).toBe('const one = 1;\n');
  });

  test('updates a file with 200, and keeps its id and created_at', async () => {
    const first = await writeFile(place, '/update.txt', 'one');
    const answer = await putFile(place, { path: '/update.txt', content: 'two!' });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id: first.id, created_at: first.created_at, size: 4 });
    expect(answer.body.checksum).toBe(checksumOf('two!'));
    expect(answer.body.commit_sha).not.toBe(first.commit_sha);
    expect(Date.parse(answer.body.updated_at)).toBeGreaterThanOrEqual(Date.parse(first.updated_at));
    expect((await rowAt('/update.txt')).size).toBe(4);
  });

  test('with the same content changes nothing and makes no commit', async () => {
    const first = await writeFile(place, '/same.txt', 'same');
    const before = (await history(place)).pagination.total;
    const row = await rowAt('/same.txt');
    const answer = await putFile(place, { path: '/same.txt', content: 'same' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(first);
    expect(answer.headers.get('etag')).toBe(`"${first.checksum}"`);
    expect((await history(place)).pagination.total).toBe(before);
    expect(await rowAt('/same.txt')).toEqual(row);
  });

  test('uses the commit message that was sent, or a default one', async () => {
    await putFile(place, { path: '/message.txt', content: '1', message: 'Say why\n\nAt length' });
    expect((await history(place)).data[0]?.message).toBe('Say why\n\nAt length');
    await putFile(place, { path: '/message.txt', content: '2' });
    expect((await history(place)).data[0]?.message).toBe('Write message.txt');
  });

  test('accepts any bytes as base64, even with line breaks', async () => {
    const bytes = Buffer.from([0, 255, 254, 10, 13, 128]);
    const encoded = `${bytes.toString('base64').slice(0, 4)}\r\n${bytes.toString('base64').slice(4)}`;
    const answer = await putFile(place, { path: '/bytes', content: encoded, encoding: 'base64' });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toMatchObject({ size: 6, mime_type: 'application/octet-stream', checksum: checksumOf(bytes) });
    expect((await rowAt('/bytes')).blob_sha).toEqual(hashObject('blob', bytes));
  });

  test.each(['a', 'ab=', 'ab==c', 'a b=', '=', 'ab-_', 'YQ=', 'Y===', 'é'])('refuses %j as base64', async (content) => {
    const answer = await putFile(place, { path: '/bad', content, encoding: 'base64' });
    expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field: 'content' });
    expect(await idAt(place, '/bad')).toBe('nothing at /bad');
  });

  test('refuses half of a surrogate pair, an unknown encoding, an unknown field and missing content', async () => {
    const refused = [
      [{ content: '\ud800' }, 'content'],
      [{ content: '', encoding: 'latin1' }, 'encoding'],
      [{ content: '', mode: 1 }, 'mode'],
      [{}, 'content'],
    ] as const;
    for (const [fields, field] of refused) {
      const answer = await putFile(place, { path: '/bad', ...fields });
      expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field });
    }
  });

  test('accepts an empty file', async () => {
    expect((await putFile(place, { path: '/empty', content: '' })).body).toMatchObject({ size: 0 });
    expect(await contentAt(place, '/empty')).toBe('');
  });
});

describe('PUT of raw bytes', () => {
  test.each(['application/octet-stream', 'text/plain', 'image/png', 'application/json-seq', 'application/x-none'])(
    'with ?path= and the type %s stores them as they are',
    async (type) => {
      const path = `/raw/${type.replace('/', '-')}.bin`;
      const bytes = Buffer.from([0, 1, 2, 255, 0]);
      const answer = await putBytes(path, Uint8Array.from(bytes), type);
      expect(answer.status, answer.text).toBe(201);
      expect(answer.body).toMatchObject({ path, size: 5, checksum: checksumOf(bytes) });
    },
  );

  test('accepts a message in the query, and answers a second write with 200', async () => {
    await putBytes('/raw.txt', 'one');
    const answer = await inProject(place, 'PUT', '/files?path=/raw.txt&message=By%20hand', {
      body: 'two',
      headers: { 'content-type': 'text/plain' },
    });
    expect(answer.status).toBe(200);
    expect((await history(place)).data[0]?.message).toBe('By hand');
  });

  test('without ?path= or with a bad path is a 400 that names it, and without a body a 415', async () => {
    const headers = { 'content-type': 'text/plain' };
    const pathless = await inProject(place, 'PUT', '/files', { body: 'x', headers });
    expectError(pathless, { status: 400, code: 'VALIDATION_ERROR', field: 'path' });
    expectError(await inProject(place, 'PUT', '/files?path=/x'), { status: 415, code: 'VALIDATION_ERROR' });
    expectError(await putBytes('/a/../b', 'x'), { status: 400, code: 'VALIDATION_ERROR', field: 'path' });
  });

  test('is read as JSON if the type is JSON, in upper or lower case', async () => {
    const body = JSON.stringify({ path: '/cased.txt', content: 'x' });
    const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
    const answer = await inProject(place, 'PUT', '/files', { body, headers });
    expect(answer.status, answer.text).toBe(201);
    expectError(await inProject(place, 'PUT', '/files', { body: 'null', headers }), {
      status: 422,
      code: 'VALIDATION_ERROR',
    });
  });
});

describe('a file above BOTTEGA_FILE_LIMIT', () => {
  const large = 'x'.repeat(2049);
  test('is a 413 as text, as base64, as bytes and in a commit, while one that fits exactly is accepted', async () => {
    const tooLarge = { status: 413, code: 'VALIDATION_ERROR' } as const;
    expectError(await putFile(place, { path: '/large', content: large }), tooLarge);
    const encoded = Buffer.from(large).toString('base64');
    expectError(await putFile(place, { path: '/large', content: encoded, encoding: 'base64' }), tooLarge);
    expectError(await putBytes('/large', large), tooLarge);
    const changes = [{ action: 'create', path: '/large', content: large }];
    expectError(await inProject(place, 'POST', '/commits', { json: { changes } }), tooLarge);
    expect((await putBytes('/fits', large.slice(1))).status).toBe(201);
    // Each character has two bytes in UTF-8: the limit counts bytes.
    expectError(await putFile(place, { path: '/large', content: 'é'.repeat(1025) }), tooLarge);
  });
});

test.each([
  ['page.html', 'text/html'],
  ['data.json', 'application/json'],
  ['picture.svg', 'image/svg+xml'],
  ['app.tsx', 'text/x-typescript'],
  ['script.js', 'text/javascript'],
  ['tool.py', 'text/x-python'],
  ['Makefile', 'text/plain'],
  ['UPPER.PNG', 'image/png'],
])('the mime type of %s is %s', async (name, type) => {
  expect((await writeFile(place, `/types/${name}`)).mime_type).toBe(type);
});

test('the executable bit survives an update and a move', async () => {
  const { id } = await writeFile(place, '/run.sh', 'echo 1\n');
  // Does what a push would have done, including the tree.
  await service.pool.query('update files set executable = true where id = $1', [id]);
  await service.pool.query(`update directories set updated_at = now() where project_id = $1 and path = ''`, [
    place.projectId,
  ]);
  await writeFile(place, '/run.sh', 'echo 2\n');
  expect((await rowAt('/run.sh')).executable).toBe(true);
  await inProject(place, 'POST', `/files/${id}/move`, { json: { path: '/bin/run' } });
  expect(await rowAt('/bin/run')).toMatchObject({ id, executable: true });
  await expectRowsToBeTheTree(service.db, place.projectId);
});

test.each(['/é.txt', '/e\u0301.txt', '/文件/名.md', '/🏛️ 1.txt', '/a\'b"c.txt', '/per%cent #?.txt', '/-rf', '/ '])(
  'the name %j is stored byte by byte as it was sent',
  async (path) => {
    const written = await writeFile(place, path, path);
    expect(written.path).toBe(path);
    expect(await contentAt(place, path)).toBe(path);
  },
);

describe('a move of a file', () => {
  test('keeps id, created_at and content, and makes one commit', async () => {
    const file = await writeFile(place, '/from.txt', 'moved');
    const before = (await history(place)).pagination.total;
    const answer = await inProject<WrittenFile>(place, 'POST', `/files/${file.id}/move`, {
      json: { path: '/deep/er/to.md', message: 'Better there' },
    });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({
      id: file.id,
      path: '/deep/er/to.md',
      name: 'to.md',
      created_at: file.created_at,
      checksum: file.checksum,
      mime_type: 'text/markdown',
    });
    const { data, pagination } = await history(place);
    expect(pagination.total).toBe(before + 1);
    expect(data[0]).toMatchObject({ sha: answer.body.commit_sha, message: 'Better there' });
    expect(await rowAt('/deep/er/to.md')).toMatchObject({ id: file.id, mime_type: 'text/markdown' });
    expect(await idAt(place, '/from.txt')).toBe('nothing at /from.txt');
  });

  test('is a 409 to an existing path, to itself or through a file, a 404 without a file, and a 422 to a bad path', async () => {
    const one = await writeFile(place, '/moves/one');
    await writeFile(place, '/moves/two');
    const to = (path: string, id = one.id) => inProject(place, 'POST', `/files/${id}/move`, { json: { path } });
    for (const path of ['/moves/two', '/moves/one', '/moves', '/moves/two/three']) {
      expectError(await to(path), { status: 409, code: 'CONFLICT' });
    }
    expectError(await to('/x', 'fil_00000000000000000000000000'), { status: 404, code: 'NOT_FOUND' });
    expectError(await to('/x', 'nonsense'), { status: 404, code: 'NOT_FOUND' });
    expectError(await to('/x/'), { status: 422, code: 'VALIDATION_ERROR', field: 'path' });
    expect(await idAt(place, '/moves/one')).toBe(one.id);
  });

  test('to a path below itself turns its old path into a directory', async () => {
    const { id } = await writeFile(place, '/inward', 'x');
    const answer = await inProject(place, 'POST', `/files/${id}/move`, { json: { path: '/inward/again' } });
    expect(answer.status, answer.text).toBe(200);
    expect(await idAt(place, '/inward/again')).toBe(id);
  });
});

test('a write below a file or onto a directory is a 409', async () => {
  await writeFile(place, '/taken/file');
  for (const path of ['/taken/file/below', '/taken/file/far/below', '/taken']) {
    expectError(await putFile(place, { path, content: 'x' }), { status: 409, code: 'CONFLICT' });
  }
});
