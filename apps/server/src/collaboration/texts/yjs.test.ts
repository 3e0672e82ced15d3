import type { CodeChange } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import * as Y from 'yjs';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { newPlace, type Place, writeFile } from '../../testing/samples/sample-files.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { colorOf } from '../sessions/colors.ts';
import { join, joinByYjs, useTexts } from './live.fixture.ts';
import { unpackUpdates } from './update-batch.ts';

const service = useTestService({ role: 'api' });
const live = useTexts(service);
let place: Place & { user: TestUser };
let other: TestUser;
let files = 0;
beforeAll(async () => {
  place = await newPlace(service, { settings: { auto_save: false } });
  other = await service.createUser({ name: 'Other' });
});

const insert = (line: number, column: number, text: string): CodeChange => ({
  type: 'insert',
  position: { line, column },
  text,
});

/** One JSON client and one of Yjs with a new file open. */
async function both(content: string) {
  const path = `/file-${++files}.txt`;
  await writeFile(place, path, content);
  const json = join(live.texts, place, place.user);
  json.send({ type: 'open_file', file_path: path });
  await json.next('file_state');
  const yjs = joinByYjs(join(live.texts, place, other), path);
  await waitFor('the provider is synced', () => yjs.provider.synced);
  return { path, json, yjs };
}

describe('a Yjs client', () => {
  test('gets the text, and its edits are merged with those of JSON clients (L1)', async () => {
    const { path, json, yjs } = await both('one\r\n🐙\n');
    expect(yjs.text.toString()).toBe('one\r\n🐙\n');
    yjs.text.insert(3, ' and');
    expect(await json.next('code_change')).toMatchObject({
      user_id: other.id,
      revision: 1,
      changes: [insert(1, 4, ' and')],
    });
    json.send({ type: 'code_change', file_path: path, changes: [insert(2, 3, '🦑')], base_revision: 0 });
    await waitFor('the edit arrives', () => yjs.text.toString() === 'one and\r\n🐙🦑\n');
    expect(json.textOf(path)).toBe('one and\r\n🐙🦑\n');
    await yjs.close();
  });

  test('is told that its edit has arrived only once the edit is stored (L7)', async () => {
    const { path, yjs } = await both('x');
    yjs.text.insert(1, 'y');
    expect(yjs.provider.hasUnsyncedChanges).toBe(true);
    await waitFor('no unsynced changes', () => !yjs.provider.hasUnsyncedChanges);
    const { rows } = await service.pool.query(
      'select u.content from live_updates u join live_texts t on t.id = u.text_id where t.path = $1',
      [path],
    );
    const document = new Y.Doc();
    const { snapshot } = await service.db
      .selectFrom('live_texts')
      .select('snapshot')
      .where('path', '=', path)
      .executeTakeFirstOrThrow();
    const updates = rows.flatMap(({ content }) => unpackUpdates(content));
    for (const update of [snapshot, ...updates]) Y.applyUpdate(document, update);
    expect(document.getText('content').toString()).toBe('xy');
    await yjs.close();
  });

  test('that is alone creates no revisions until another client asks; then its edits are one revision (L2)', async () => {
    const { path, json, yjs } = await both('x\n');
    await json.connection.close();
    yjs.client.send({ type: 'ping' });
    for (const word of ['one ', 'two ', '🐙 ']) yjs.text.insert(0, word);
    yjs.text.insertEmbed(2, { picture: 'x' });
    await waitFor('no unsynced changes', () => !yjs.provider.hasUnsyncedChanges);
    const late = join(live.texts, place, place.user);
    late.send({ type: 'open_file', file_path: path });
    await waitFor('only text is left', () => late.textOf(path) === '🐙 two one x\n');
    late.send({ type: 'code_change', file_path: path, changes: [insert(1, 1, '!')], seq: 1 });
    await late.next('ack', { durable: true });
    await waitFor('the edit arrives', () => yjs.text.toString() === '!🐙 two one x\n');
    yjs.text.insert(0, '?');
    await late.next('code_change', { user_id: other.id });
    expect(late.textOf(path)).toBe('?!🐙 two one x\n');
    const row = await service.db
      .selectFrom('live_texts')
      .select('unsaved_by')
      .where('path', '=', path)
      .executeTakeFirstOrThrow();
    expect(row.unsaved_by.toSorted()).toEqual([place.user.id, other.id].toSorted());
    expect(yjs.client.messages.filter(({ type }) => type === 'code_change')).toEqual([]);
    await yjs.close();
  });

  test('that splits a character leaves all clients with the same text (L1)', async () => {
    const { path, json, yjs } = await both('a🐙b');
    yjs.text.delete(2, 1);
    await json.next('code_change');
    await waitFor('all stored', () => !yjs.provider.hasUnsyncedChanges);
    expect(json.textOf(path)).toBe(yjs.text.toString());
    expect(json.textOf(path)).toBe('a\ufffdb');
    yjs.text.insert(3, '🦑');
    yjs.text.insert(4, 'x');
    await waitFor('the same', () => json.textOf(path) === yjs.text.toString() && yjs.text.length > 5);
    await yjs.close();
  });

  test('that inserts anything other than text has it removed again (L10)', async () => {
    const { path, json, yjs } = await both('ab');
    yjs.text.insertEmbed(1, { picture: 'x' });
    yjs.text.insert(0, 'N\0');
    yjs.text.format(0, 2, { bold: true });
    await waitFor('only text is left', () => json.textOf(path) === 'Nab' && yjs.text.length === 3);
    json.send({ type: 'code_change', file_path: path, changes: [insert(1, 3, '!')] });
    await waitFor('the same', () => yjs.text.toString() === 'Na!b');
    await yjs.close();
  });

  test('is told if it has no write permission, and can lose the permission while it is connected (L9)', async () => {
    const { path, json, yjs } = await both('x');
    yjs.client.rights.delete('write');
    yjs.client.connection.rightsChanged();
    yjs.text.insert(0, 'no ');
    json.send({ type: 'code_change', file_path: path, changes: [insert(1, 2, '!')] });
    await waitFor('the edit arrives', () => yjs.text.toString() === 'no x!');
    expect(json.textOf(path)).toBe('x!');
    expect(yjs.provider.hasUnsyncedChanges).toBe(true);
    yjs.client.rights.add('write');
    yjs.client.connection.rightsChanged();
    yjs.provider.forceSync();
    await waitFor('what it wrote arrives', () => json.textOf(path) === 'no x!');
    await yjs.close();
    const reader = join(live.texts, place, other, { rights: ['read'] });
    const reading = joinByYjs(reader, path);
    await waitFor('the provider is synced', () => reading.text.toString() === 'no x!');
    expect(reading.provider.authorizedScope).toBe('readonly');
    await reading.close();
  });

  test.each(['/nothing.txt', 'nonsense', ''])('is refused the document %j in the way of Hocuspocus', async (path) => {
    const yjs = joinByYjs(join(live.texts, place, other), path);
    const reason = await new Promise((resolve) => yjs.provider.on('authenticationFailed', resolve));
    expect(reason).toMatchObject({ reason: expect.any(String) });
    expect(yjs.client.closed).toBeNull();
    await yjs.close();
  });

  test('that sends garbage is cut off, and no other client is (L4)', async () => {
    const { path, json, yjs } = await both('x');
    const bad = join(live.texts, place, other);
    bad.connection.handleBinary(new Uint8Array([255, 255, 255]));
    await waitFor('it is closed', () => bad.closed);
    for (const tail of [[0, 2, 5, 1, 2, 3], [0, 9], [1, 3, 1], [77], [6, 1, 65], [2, 9, 9]]) {
      const one = joinByYjs(join(live.texts, place, other), path);
      await waitFor('the provider is synced', () => one.provider.synced);
      const name = new TextEncoder().encode(path);
      one.client.connection.handleBinary(new Uint8Array([name.length, ...name, ...tail]));
      await one.close();
    }
    json.send({ type: 'code_change', file_path: path, changes: [insert(1, 2, '!')] });
    await waitFor('the edit arrives', () => yjs.text.toString() === 'x!');
    await yjs.close();
  });
});

describe('cursors', () => {
  test('of JSON clients are awareness states for Yjs clients and the reverse, with identities set by the service (L9)', async () => {
    const { path, json, yjs } = await both('one\ntwo\n');
    json.send({
      type: 'cursor_move',
      file_path: path,
      position: { line: 2, column: 1 },
      selection_end: { line: 2, column: 4 },
    });
    const states = () =>
      [...(yjs.provider.awareness?.getStates() ?? [])]
        .filter(([clientId]) => clientId !== yjs.document.clientID)
        .map(([, state]) => state);
    const state = await waitFor('the state arrives', () => states().find(({ user }) => user?.id === place.user.id));
    expect(state.user).toMatchObject({ name: place.user.name, color: colorOf(place.user.id) });
    const at = (position: unknown) =>
      Y.createAbsolutePositionFromRelativePosition(Y.createRelativePositionFromJSON(position), yjs.document)?.index;
    expect([at(state.cursor.anchor), at(state.cursor.head)]).toEqual([4, 7]);

    const relative = Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(yjs.text, 5));
    yjs.provider.setAwarenessField('user', { id: place.user.id, name: 'Somebody else' });
    yjs.provider.setAwarenessField('cursor', { anchor: relative, head: relative });
    expect(await json.next('cursor_move')).toMatchObject({
      user_id: other.id,
      username: other.username,
      color: colorOf(other.id),
      file_path: path,
      position: { line: 2, column: 2 },
    });

    const third = joinByYjs(join(live.texts, place, place.user), path);
    await waitFor('all states arrive', () => (third.provider.awareness?.getStates().size ?? 0) >= 3);
    const names = [...(third.provider.awareness?.getStates().values() ?? [])].map(({ user }) => user?.name);
    expect(names.toSorted()).toEqual(['Other', 'Test User', undefined].toSorted());
    await json.connection.close();
    await waitFor(
      'its state is gone',
      () => !states().some(({ cursor, user }) => user?.id === place.user.id && cursor),
    );
    await Promise.all([yjs.close(), third.close()]);
  });

  test('of JSON clients reach the others with name and colour, even in a file that nobody has open', async () => {
    const [a, b] = [join(live.texts, place, place.user), join(live.texts, place, other)];
    a.send({ type: 'cursor_move', file_path: '/nowhere.txt', position: { line: 3, column: 9 } });
    expect(await b.next('cursor_move')).toMatchObject({
      user_id: place.user.id,
      username: place.user.username,
      color: colorOf(place.user.id),
      position: { line: 3, column: 9 },
    });
    expect(a.messages).toEqual([]);
  });

  test('of present users are sent to a newcomer, even if those users do not move again', async () => {
    const { path, json, yjs } = await both('one\ntwo\n');
    json.send({ type: 'cursor_move', file_path: path, position: { line: 1, column: 2 } });
    const relative = Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(yjs.text, 5));
    yjs.provider.setAwarenessField('cursor', { anchor: relative, head: relative });
    await json.next('cursor_move', { user_id: other.id });
    const newcomer = join(live.texts, place, place.user);
    const stranger = join(live.texts, place, place.user, { sessionId: 'ses_two' });
    expect(newcomer.messages).toMatchObject([
      { type: 'cursor_move', user_id: place.user.id, file_path: path, position: { line: 1, column: 2 } },
      { type: 'cursor_move', user_id: other.id, username: other.username, position: { line: 2, column: 2 } },
    ]);
    expect(stranger.messages).toEqual([]);
    await yjs.close();
  });
});
