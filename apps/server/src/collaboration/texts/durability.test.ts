import type { CodeChange } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import {
  contentAt,
  idAt,
  inProject,
  listPaths,
  newPlace,
  type Place,
  writeFile,
} from '../../testing/samples/sample-files.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { join, joinByYjs, startTexts } from './live.fixture.ts';
import type { LiveEngine } from './room.ts';

const service = useTestService({ role: 'api' });
let place: Place & { user: TestUser };
let files = 0;
beforeAll(async () => {
  place = await newPlace(service, { settings: { auto_save: false } });
});

const insert = (line: number, column: number, text: string): CodeChange => ({
  type: 'insert',
  position: { line, column },
  text,
});

async function open(texts: LiveEngine, path: string) {
  const client = join(texts, place, place.user);
  client.send({ type: 'open_file', file_path: path });
  return { client, state: await client.next('file_state') };
}

const rowOf = (path: string) =>
  service.db.selectFrom('live_texts').selectAll().where('path', '=', path).executeTakeFirstOrThrow();

describe('a live text', () => {
  test('keeps all typed text after an orderly end, and continues its revisions (L11, L12)', async () => {
    const path = `/file-${++files}.txt`;
    await writeFile(place, path, 'x');
    const first = startTexts(service);
    const { client } = await open(first, path);
    for (const text of ['1', '2', '3'])
      client.send({ type: 'code_change', file_path: path, changes: [insert(1, 1, text)] });
    await first.drain();
    expect(await rowOf(path)).toMatchObject({ revision: 3, reserved_revision: 3 });
    const second = startTexts(service);
    const { state, client: again } = await open(second, path);
    expect(state).toMatchObject({ content: '321x', revision: 3 });
    again.send({ type: 'code_change', file_path: path, changes: [insert(1, 1, '4')], base_revision: 3 });
    expect(await again.next('ack')).toMatchObject({ revision: 4 });
    await second.drain();
  });

  test('never issues a revision again after a crash that a client may have seen (L11)', async () => {
    const path = `/file-${++files}.txt`;
    await writeFile(place, path, 'x');
    const crashed = startTexts(service);
    const { client } = await open(crashed, path);
    client.send({ type: 'code_change', file_path: path, changes: [insert(1, 1, 'kept ')], seq: 1 });
    await client.next('ack', { durable: true });
    client.send({ type: 'code_change', file_path: path, changes: [insert(1, 1, 'lost ')], seq: 2 });
    const { revision: seen } = await client.next('ack', { seq: 2 });
    // Anything not reported as durable may be lost, as if the process had ended here.
    crashed.connect = () => {
      throw new Error('dead');
    };
    const next = startTexts(service);
    const { state, client: again } = await open(next, path);
    expect(state.revision).toBeGreaterThan(seen ?? 0);
    again.send({ type: 'code_change', file_path: path, changes: [insert(1, 1, 'y')], base_revision: 2 });
    expect(await again.next('resync')).toMatchObject({ content: state.content });
    await crashed.release(place.projectId);
    await next.drain();
  });

  test('is saved to its file after a crash even if nobody comes back to it (L16)', async () => {
    const saved = await newPlace(service);
    const paths = ['/kept.txt', '/moved.txt', '/deleted.txt'];
    let isDead = false;
    const ownership = {
      acquire: async () => true,
      async assertHeld() {
        if (isDead) throw new Error('not held');
      },
    };
    const never = { BOTTEGA_LIVE_SAVE_PAUSE: '600000', BOTTEGA_LIVE_SAVE_INTERVAL: '600000' };
    const crashed = startTexts(service, { settings: never, engine: { ownership } });
    const client = join(crashed, saved, saved.user);
    for (const [seq, path] of paths.entries()) {
      await writeFile(saved, path, 'x');
      client.send({ type: 'open_file', file_path: path });
      client.send({ type: 'code_change', file_path: path, changes: [insert(1, 1, 'typed ')], seq });
      await client.next('ack', { seq, durable: true });
    }
    isDead = true;
    await crashed.release(saved.projectId);
    await inProject(saved, 'POST', `/files/${await idAt(saved, '/moved.txt')}/move`, { json: { path: '/there.txt' } });
    await inProject(saved, 'DELETE', `/files/${await idAt(saved, '/deleted.txt')}`);
    const next = startTexts(service);
    await next.recover();
    await waitFor('it is saved', async () => (await contentAt(saved, '/kept.txt')) === 'typed x');
    await waitFor('it is saved where it is now', async () => (await contentAt(saved, '/there.txt')) === 'typed x');
    expect(await listPaths(saved)).toEqual(['/kept.txt', '/there.txt']);
    await next.drain();
    const again = startTexts(service, { engine: { onError: expect.fail } });
    await again.recover();
    expect(again.find(saved.projectId, (await rowOf('/kept.txt')).id)).toBeUndefined();
    await again.drain();
  });

  test('is folded into a snapshot from time to time without losing anything (L12)', async () => {
    const path = `/file-${++files}.txt`;
    await writeFile(place, path, '');
    const texts = startTexts(service);
    const { client } = await open(texts, path);
    const long = 'x'.repeat(50_000);
    for (let n = 0; n < 12; n++) {
      client.send({ type: 'code_change', file_path: path, changes: [insert(1, 1, `${n}${long}\n`)], seq: n });
      await client.next('ack', { seq: n, durable: true });
    }
    expect((await rowOf(path)).snapshot_seq).toBeGreaterThan(0);
    const expected = client.textOf(path);
    await texts.drain();
    const { rows } = await service.pool.query('select count(*)::int as n from live_updates where text_id = $1', [
      (await rowOf(path)).id,
    ]);
    expect(rows[0]).toEqual({ n: 0 });
    const again = startTexts(service);
    expect((await open(again, path)).state.content).toBe(expected);
    await again.drain();
  });

  test('can be edited while the database is away, is acknowledged later, and refuses edits beyond a limit (L7)', async () => {
    const path = `/file-${++files}.txt`;
    await writeFile(place, path, '');
    let isAway = false;
    const ownership = {
      acquire: async () => true,
      async assertHeld() {
        if (isAway) throw Object.assign(new Error('terminating connection'), { code: '57P01' });
      },
    };
    const texts = startTexts(service, {
      settings: { BOTTEGA_LIVE_UNSTORED_LIMIT: '65536' },
      engine: { ownership, onError: () => undefined },
    });
    const { client } = await open(texts, path);
    isAway = true;
    client.send({ type: 'code_change', file_path: path, changes: [insert(1, 1, 'a'.repeat(70_000))], seq: 1 });
    expect(await client.next('ack')).toMatchObject({ durable: false });
    client.send({ type: 'code_change', file_path: path, changes: [insert(1, 1, 'b')], seq: 2 });
    expect(await client.next('error')).toMatchObject({ code: 'SERVICE_UNAVAILABLE', seq: 2 });
    expect(client.messages.filter((message) => message.type === 'ack' && message.durable)).toEqual([]);
    isAway = false;
    await client.next('ack', { seq: 1, durable: true });
    client.send({ type: 'code_change', file_path: path, changes: [insert(1, 1, 'c')], seq: 3 });
    await client.next('ack', { seq: 3, durable: true });
    await texts.drain();
  });

  test("is not written by a process that lost it: its sockets are closed, and the new owner's text stands (L19)", async () => {
    const path = `/file-${++files}.txt`;
    await writeFile(place, path, 'x');
    let owner = 'first';
    const owned = (name: string) => ({
      acquire: async () => owner === name,
      async assertHeld() {
        if (owner !== name) throw new Error('not held');
      },
    });
    const first = startTexts(service, { engine: { ownership: owned('first') } });
    const second = startTexts(service, { engine: { ownership: owned('second') } });
    const { client } = await open(first, path);
    const yjs = joinByYjs(join(first, place, place.user), path);
    await waitFor('the provider is synced', () => yjs.provider.synced);
    client.send({ type: 'code_change', file_path: path, changes: [insert(1, 1, 'kept ')], seq: 1 });
    await client.next('ack', { durable: true });
    owner = 'second';
    client.send({ type: 'code_change', file_path: path, changes: [insert(1, 1, 'stale ')], seq: 2 });
    await waitFor('the sockets are closed', () => client.closed?.code === 4010 && yjs.client.closed?.code === 4010);
    const { client: there, state } = await open(second, path);
    expect(state.content).toBe('kept x');
    // A client of Yjs brings along the state that it has seen.
    const moved = joinByYjs(join(second, place, place.user), path, yjs.document);
    await waitFor('it is merged', () => there.textOf(path) === 'stale kept x');
    await Promise.all([yjs.close(), moved.close()]);
    await Promise.all([first.drain(), second.drain()]);
  });
});
