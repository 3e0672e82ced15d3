import { beforeAll, describe, expect, test } from 'vitest';
import { encodeAwarenessUpdate } from 'y-protocols/awareness';
import * as Y from 'yjs';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { commit, newPlace, type Place } from '../../testing/samples/sample-files.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { type Client, join, joinByYjs, useTexts } from './live.fixture.ts';

const service = useTestService({ role: 'api' });
// One account may use a quarter of it: room for three of the files below, since each is held three times.
const settings = { BOTTEGA_LIVE_MEMORY_LIMIT: String(4 * 1024 * 1024) };
const live = useTexts(service, { settings });
const soonIdle = useTexts(service, { settings, engine: { idleMs: 200 } });
const roomy = useTexts(service);
const fileBytes = 100_000;
let other: TestUser;
beforeAll(async () => {
  other = await service.createUser({ name: 'Other' });
});

async function placeWith(files: number, content: string): Promise<Place & { user: TestUser }> {
  const place = await newPlace(service, { settings: { auto_save: false } });
  const changes = Array.from({ length: files }, (_, index) => ({ action: 'create', path: `/${index}.txt`, content }));
  expect((await commit(place, changes)).status).toBe(201);
  return place;
}

async function open(client: Client, path: string): Promise<string> {
  const seq = Math.floor(Math.random() * 1e9);
  client.send({ type: 'open_file', file_path: path, seq });
  const answer = await waitFor('an answer', () =>
    client.messages.find((message) => 'seq' in message && message.seq === seq),
  );
  return answer.type === 'error' ? answer.message : answer.type;
}

describe('live texts', () => {
  test('of one account use no more than its share of the memory; another account can still open its own', async () => {
    const place = await placeWith(5, 'x'.repeat(fileBytes));
    const client = join(live.texts, place, place.user);
    for (const index of [0, 1, 2]) expect(await open(client, `/${index}.txt`)).toBe('file_state');
    expect(await open(client, '/3.txt')).toContain('use too much memory');
    const [same, another] = [join(live.texts, place, place.user), join(live.texts, place, other)];
    expect(await open(same, '/4.txt')).toContain('use too much memory');
    expect(await open(another, '/4.txt')).toBe('file_state');
    expect(await open(client, '/0.txt')).toBe('file_state');
    await Promise.all([client, same, another].map(({ connection }) => connection.close()));
  });

  test('for which there is no memory left are refused before they are read and seeded', async () => {
    const place = await placeWith(4, 'x'.repeat(fileBytes));
    const client = join(live.texts, place, place.user);
    for (const index of [0, 1, 2]) expect(await open(client, `/${index}.txt`)).toBe('file_state');
    expect(await open(client, '/3.txt')).toContain('use too much memory');
    const seeded = await service.db
      .selectFrom('live_texts')
      .select('path')
      .where('project_id', '=', place.projectId)
      .execute();
    expect(seeded.map(({ path }) => path).toSorted()).toEqual(['/0.txt', '/1.txt', '/2.txt']);
    await client.connection.close();
  });

  test('that nobody has open any longer make room for others', async () => {
    const place = await placeWith(4, 'x'.repeat(fileBytes));
    const first = join(soonIdle.texts, place, place.user);
    for (const index of [0, 1, 2]) await open(first, `/${index}.txt`);
    await first.connection.close();
    const again = join(soonIdle.texts, place, place.user);
    await waitFor('there is room', async () => (await open(again, '/3.txt')) === 'file_state');
    await again.connection.close();
  });

  test('that are closed while a user opens them are still answered', async () => {
    const place = await placeWith(1, 'x'.repeat(fileBytes));
    const [client, deleting] = [join(live.texts, place, place.user), join(live.texts, place, other)];
    client.peer.readyForText = async () => {
      deleting.send({ type: 'file_operation', operation: 'delete', file_path: '/0.txt', seq: 1 });
      await deleting.next('ack', { seq: 1 });
      return true;
    };
    expect(await open(client, '/0.txt')).toContain('There is no file');
    await Promise.all([client, deleting].map(({ connection }) => connection.close()));
  });

  test('do not grow beyond the share, neither by messages nor by Yjs', async () => {
    const place = await placeWith(1, 'x');
    const client = join(live.texts, place, place.user);
    await open(client, '/0.txt');
    const grow = { type: 'insert', position: { line: 1, column: 1 }, text: 'y'.repeat(250_000) } as const;
    client.send({ type: 'code_change', file_path: '/0.txt', changes: [grow], seq: 1 });
    client.send({ type: 'code_change', file_path: '/0.txt', changes: [grow], seq: 2 });
    await client.next('ack', { seq: 2, durable: true });
    const change = { ...grow, text: 'z' };
    await waitFor('it is refused', () => {
      client.send({ type: 'code_change', file_path: '/0.txt', changes: [change] });
      return client.messages.find((message) => message.type === 'error');
    });
    const yjs = joinByYjs(join(live.texts, place, place.user), '/0.txt');
    const failed = new Promise((resolve) => yjs.provider.on('close', resolve));
    await waitFor('the provider is synced', () => yjs.provider.synced);
    yjs.text.insert(0, 'z');
    await failed;
    await yjs.close();
  });

  test('are limited to a hundred for each socket', async () => {
    const place = await placeWith(101, 'x');
    const client = join(roomy.texts, place, place.user);
    for (let index = 0; index < 100; index++) client.send({ type: 'open_file', file_path: `/${index}.txt` });
    await waitFor('all are open', () => client.messages.filter(({ type }) => type === 'file_state').length === 100);
    expect(await open(client, '/100.txt')).toContain('at most 100 files');
    client.send({ type: 'close_file', file_path: '/0.txt' });
    expect(await open(client, '/100.txt')).toBe('file_state');
  });

  test('are not sent to a socket that is gone', async () => {
    const place = await placeWith(1, 'x');
    const client = join(roomy.texts, place, place.user);
    client.peer.readyForText = async () => false;
    client.send({ type: 'open_file', file_path: '/0.txt' });
    client.send({ type: 'close_file', file_path: '/0.txt' });
    await client.next('ack');
    expect(client.messages.map(({ type }) => type)).not.toContain('file_state');
  });

  test('accept eight Yjs clients from one connection, however many clients a frame claims', async () => {
    const place = await placeWith(1, 'x');
    const yjs = joinByYjs(join(roomy.texts, place, place.user), '/0.txt');
    await waitFor('the provider is synced', () => yjs.provider.synced);
    const ids = Array.from({ length: 1000 }, (_, index) => index + 1);
    const states = new Map(ids.map((id) => [id, { n: id }]));
    const meta = new Map(ids.map((id) => [id, { clock: 1, lastUpdated: 0 }]));
    const update = encodeAwarenessUpdate({ states, meta } as never, ids);
    const name = new TextEncoder().encode('/0.txt');
    const length = [(update.length & 0x7f) | 0x80, ((update.length >> 7) & 0x7f) | 0x80, update.length >> 14];
    yjs.client.connection.handleBinary(new Uint8Array([name.length, ...name, 1, ...length, ...update]));
    const reader = joinByYjs(join(roomy.texts, place, other), '/0.txt', new Y.Doc());
    const seen = () => [...(reader.provider.awareness?.getStates().values() ?? [])].filter(({ n }) => n);
    await waitFor('some arrive', () => seen().length > 0);
    expect(seen().length).toBeLessThanOrEqual(8);
    await Promise.all([yjs.close(), reader.close()]);
  });
});
