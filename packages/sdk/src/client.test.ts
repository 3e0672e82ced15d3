import { beforeAll, describe, expect, test } from 'vitest';
import { useTestService } from '../../../apps/server/src/testing/service/test-service.ts';
import { Bottega, type Project } from './index.ts';

const service = useTestService({ role: 'api' });
let client: Bottega;
let project: Project;

beforeAll(async () => {
  const owner = await service.createUser();
  client = new Bottega({ baseUrl: service.url, token: owner.key });
  project = await client.projects.create({ name: 'Sample' });
});

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('a project', () => {
  test('is created, read, changed, deleted and restored', async () => {
    const { id } = await client.projects.create({ name: 'One', settings: { public: true } });
    expect(await client.projects.get(id)).toMatchObject({ name: 'One', settings: { public: true } });
    expect(await client.projects.update(id, { name: 'Two' })).toMatchObject({ name: 'Two' });
    expect(await client.projects.delete(id)).toBeUndefined();
    await expect(client.projects.get(id)).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
    expect(await client.projects.restore(id)).toMatchObject({ id });
  });

  test('is refused with the fields that are wrong', async () => {
    await expect(client.projects.create({ name: '' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fields: [{ field: 'name' }],
      requestId: expect.stringMatching(/^req_/),
    });
  });
});

describe('a list', () => {
  test('is a promise of its first page, and an iterator over all items of all pages', async () => {
    const other = new Bottega({ baseUrl: service.url, token: (await service.createUser()).key });
    for (const name of ['a', 'b', 'c', 'd', 'e']) await other.projects.create({ name });
    const list = other.projects.list({ limit: 2, sort: 'name', order: 'asc' });
    expect(await list).toMatchObject({ data: [{ name: 'a' }, { name: 'b' }], pagination: { total: 5 } });
    expect((await all(list)).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect((await all(list.pages())).map(({ data }) => data.length)).toEqual([2, 2, 1]);
  });

  test('with a cursor continues after it', async () => {
    const changes = Array.from({ length: 5 }, (_, at) => ({
      action: 'create' as const,
      path: `/l/${at}`,
      content: '',
    }));
    await client.commits.create(project.id, { changes });
    const files = await all(client.files.list(project.id, { path: '/l', limit: 2 }));
    expect(files.map(({ path }) => path)).toEqual(['/l/0', '/l/1', '/l/2', '/l/3', '/l/4']);
  });

  test('with an offset continues at it', async () => {
    for (const name of ['a', 'b', 'c']) await client.sessions.create({ name, workspace_id: project.id });
    const sessions = await all(client.sessions.list({ limit: 2 }));
    expect(sessions.map(({ name }) => name).toSorted()).toEqual(['a', 'b', 'c']);
  });

  test('fails as a promise and as an iterator', async () => {
    await expect(client.files.list('prj_none')).rejects.toMatchObject({ status: 404 });
    await expect(all(client.files.list('prj_none'))).rejects.toMatchObject({ status: 404 });
  });
});

describe('a file', () => {
  const bytes = new Uint8Array([0, 255, 1, 254]);

  test.each([
    ['text', 'Grüße\n', new TextEncoder().encode('Grüße\n')],
    ['bytes', bytes, bytes],
    ['a buffer', bytes.buffer, bytes],
    ['a blob', new Blob([bytes]), bytes],
  ])('is written as %s and read back unchanged', async (_what, content, expected) => {
    const file = await client.files.write(project.id, { path: '/docs/a b.bin', content, message: 'Write it' });
    const answer = await client.files.read(project.id, file.id);
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(expected);
    expect(answer.headers.get('etag')).toBe(`"${file.checksum}"`);
  });

  test('can be written as a stream, and read in part', async () => {
    const file = await client.files.write(project.id, { path: '/stream', content: new Blob(['a stream']).stream() });
    const answer = await client.files.read(project.id, file.id, {}, { headers: { range: 'bytes=2-' } });
    expect([answer.status, await answer.text()]).toEqual([206, 'stream']);
    const known = await client.files.read(
      project.id,
      file.id,
      {},
      { headers: { 'if-none-match': `"${file.checksum}"` } },
    );
    expect(known.status).toBe(304);
  });

  test('can be written on a condition', async () => {
    const file = await client.files.write(project.id, { path: '/once', content: '1' }, { ifNoneMatch: '*' });
    const again = client.files.write(project.id, { path: '/once', content: '2' }, { ifNoneMatch: '*' });
    await expect(again).rejects.toMatchObject({ status: 412 });
    await client.files.write(project.id, { path: '/once', content: '3' }, { ifMatch: file.checksum });
  });
});

test('a branch name with a slash is one segment of the path', async () => {
  await client.branches.create(project.id, { name: 'feature/one' });
  await client.branches.delete(project.id, 'feature/one');
  expect((await client.branches.list(project.id)).data.map(({ name }) => name)).toEqual(['main']);
});

test('an archive is a stream of bytes', async () => {
  const answer = await client.projects.archive(project.id, { format: 'tar.gz' });
  expect(new Uint8Array(await answer.arrayBuffer()).slice(0, 2)).toEqual(new Uint8Array([0x1f, 0x8b]));
});

test('a POST that may be repeated without a key gives the same result again', async () => {
  const session = await client.sessions.create({ name: 'Twice', workspace_id: project.id });
  for (let time = 0; time < 2; time++) {
    expect(await client.participants.join(session.session_id)).toMatchObject({ success: true });
    expect(await client.sessions.extend(session.session_id, { seconds: 3600 })).toMatchObject({ ended_at: null });
  }
});

test('events can be listed, and followed from a cursor', async () => {
  const other = new Bottega({ baseUrl: service.url, token: (await service.createUser()).key });
  const { id } = await other.projects.create({ name: 'Watched' });
  const page = await other.events.list({ projectId: id, types: ['project.*'] });
  expect(page.data).toMatchObject([{ event: 'project.created', data: { project: { id } } }]);
  const subscription = other.events.subscribe({ projectId: id, types: ['file.created'], after: page.pagination.next });
  const paths: string[] = [];
  const writing = (async () => {
    for (const path of ['/1', '/2', '/3']) await other.files.write(id, { path, content: path });
  })();
  for await (const event of subscription) {
    if (event.event === 'file.created') paths.push(event.data.file.path);
    if (paths.length === 3) break;
  }
  await writing;
  expect(paths).toEqual(['/1', '/2', '/3']);
});
