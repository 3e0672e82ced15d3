import type { CodeChange } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { useGitClient } from '../../repository/smart-http/git-client.fixture.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { contentAt, history, inProject, newPlace, type Place, writeFile } from '../../testing/samples/sample-files.ts';
import { addCollaborator } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { join, joinByYjs, startTexts, useTexts } from './live.fixture.ts';

const service = useTestService({ role: 'api' });
const live = useTexts(service);
const git = useGitClient(service);
let place: Place & { user: TestUser };
let guest: TestUser;
beforeAll(async () => {
  place = await newPlace(service);
  guest = await service.createUser({ name: 'Guest <G>', email: 'guest@example.com' });
});

const insert = (line: number, column: number, text: string): CodeChange => ({
  type: 'insert',
  position: { line, column },
  text,
});

async function open(path: string, user = place.user, where: Place = place, texts = live.texts) {
  const client = join(texts, where, user);
  client.send({ type: 'open_file', file_path: path });
  return { client, state: await client.next('file_state') };
}

const isSaved = (where: Place, path: string, content: string) =>
  waitFor(`${path} is saved`, async () => (await contentAt(where, path)) === content);

describe('saving', () => {
  test('commits the text when typing pauses, with all who typed as author or co-authors (L16)', async () => {
    await writeFile(place, '/auto.txt', 'one\n');
    // Longer than a busy machine needs for the three edits, which should become one commit.
    const texts = startTexts(service, { settings: { BOTTEGA_LIVE_SAVE_PAUSE: '2000' } });
    const { client: a } = await open('/auto.txt', place.user, place, texts);
    const { client: b } = await open('/auto.txt', guest, place, texts);
    const yjs = joinByYjs(join(texts, place, guest), '/auto.txt');
    await waitFor('the provider is synced', () => yjs.provider.synced);
    a.send({ type: 'code_change', file_path: '/auto.txt', changes: [insert(1, 1, 'a')] });
    b.send({ type: 'code_change', file_path: '/auto.txt', changes: [insert(1, 1, 'b')] });
    await waitFor('their edits arrive', () => yjs.text.toString() === 'baone\n');
    yjs.text.insert(0, 'y');
    await isSaved(place, '/auto.txt', 'ybaone\n');
    const { commit_sha, revision } = await a.next('saved');
    expect(revision).toBe(3);
    const [commit] = (await history(place)).data;
    expect(commit).toMatchObject({
      sha: commit_sha,
      author: { email: place.user.email },
      message: 'Edit auto.txt\n\nCo-authored-by: Guest G <guest@example.com>',
    });
    const row = await service.db
      .selectFrom('live_texts')
      .select(['unsaved_by'])
      .where('path', '=', '/auto.txt')
      .executeTakeFirst();
    expect(row?.unsaved_by).toEqual([]);
    const events = await service.db
      .selectFrom('events')
      .select('data')
      .where('project_id', '=', place.projectId)
      .where('type', '=', 'file.updated')
      .execute();
    expect(events.map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ commit_sha, file_path: '/auto.txt' }),
    );
    await yjs.close();
    await texts.drain();
  });

  test('does not treat its own commits as changes by others', async () => {
    await writeFile(place, '/own.txt', '');
    const { client } = await open('/own.txt');
    for (let n = 0; n < 8; n++) {
      client.send({ type: 'code_change', file_path: '/own.txt', changes: [insert(1, 1, `${n}`)] });
      client.send({ type: 'save', file_path: '/own.txt', seq: n });
      await client.next('saved', { seq: n });
    }
    await isSaved(place, '/own.txt', '76543210');
    await waitFor('files were looked at', async () => {
      const before = client.messages.length;
      await new Promise((resolve) => setTimeout(resolve, 500));
      return client.messages.length === before;
    });
    expect(client.textOf('/own.txt')).toBe('76543210');
    expect(client.messages.filter(({ type }) => type === 'code_change')).toEqual([]);
  });

  test('happens when the last participant leaves (L16)', async () => {
    await writeFile(place, '/leave.txt', 'x');
    const { client } = await open('/leave.txt');
    client.send({ type: 'code_change', file_path: '/leave.txt', changes: [insert(1, 1, 'y')] });
    await client.connection.close();
    expect(await contentAt(place, '/leave.txt')).toBe('yx');
  });

  test('happens only on request without auto_save; unsaved text is kept and is there the next time (L12, L16)', async () => {
    const manual = await newPlace(service, { settings: { auto_save: false } });
    await writeFile(manual, '/a.txt', 'x');
    const texts = startTexts(service);
    const { client } = await open('/a.txt', manual.user, manual, texts);
    client.send({ type: 'code_change', file_path: '/a.txt', changes: [insert(1, 1, 'y')] });
    await texts.save(manual.projectId);
    await client.connection.close();
    await texts.drain();
    expect(await contentAt(manual, '/a.txt')).toBe('x');
    const { client: again, state } = await open('/a.txt', manual.user, manual);
    expect(state.content).toBe('yx');
    again.send({ type: 'save', seq: 9 });
    expect(await again.next('saved', { seq: 9 })).toMatchObject({
      file_path: '/a.txt',
      commit_sha: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    expect(await contentAt(manual, '/a.txt')).toBe('yx');
    await again.connection.close();
  });

  test('works without version control, and then reports no commit', async () => {
    const plain = await newPlace(service, { settings: { version_control: false } });
    await writeFile(plain, '/a.txt', 'x');
    const { client } = await open('/a.txt', plain.user, plain);
    client.send({ type: 'code_change', file_path: '/a.txt', changes: [insert(1, 1, 'y')] });
    client.send({ type: 'save', file_path: '/a.txt', seq: 1 });
    expect(await client.next('saved', { seq: 1 })).toMatchObject({ commit_sha: null });
    expect(await contentAt(plain, '/a.txt')).toBe('yx');
  });

  test('that is refused says why and keeps the text (L17)', async () => {
    const archived = await newPlace(service);
    await writeFile(archived, '/a.txt', 'x');
    const { client } = await open('/a.txt', archived.user, archived);
    client.send({ type: 'code_change', file_path: '/a.txt', changes: [insert(1, 1, 'y')] });
    await inProject(archived, 'PATCH', '', { json: { status: 'archived' } });
    client.send({ type: 'save', file_path: '/a.txt', seq: 4 });
    expect(await client.next('error', { seq: 4 })).toMatchObject({ code: 'CONFLICT' });
    expect(await client.next('error')).toMatchObject({ details: { file_path: '/a.txt', unsaved: true } });
    await inProject(archived, 'PATCH', '', { json: { status: 'active' } });
    client.send({ type: 'save', file_path: '/a.txt', seq: 5 });
    await client.next('saved', { seq: 5 });
    expect(await contentAt(archived, '/a.txt')).toBe('yx');
  });
});

describe('a file that is changed from outside while it is open', () => {
  test('is merged: neither typed nor written text is lost (L14)', async () => {
    const manual = await newPlace(service, { settings: { auto_save: false } });
    await writeFile(manual, '/a.txt', 'one\ntwo words here\nthree\n');
    const { client } = await open('/a.txt', manual.user, manual);
    client.send({
      type: 'code_change',
      file_path: '/a.txt',
      changes: [insert(2, 4, ' typed'), insert(4, 1, 'four\n')],
    });
    await writeFile(manual, '/a.txt', 'zero\none\ntwo words there\nthree\n');
    const change = await client.next('code_change');
    expect(change.user_id).toBe(manual.user.id);
    expect(client.textOf('/a.txt')).toBe('zero\none\ntwo typed words there\nthree\nfour\n');
    client.send({ type: 'save', file_path: '/a.txt', seq: 1 });
    await client.next('saved', { seq: 1 });
    expect(await contentAt(manual, '/a.txt')).toBe('zero\none\ntwo typed words there\nthree\nfour\n');
  });

  test('is also merged if a merge of branches changed it (L14)', async () => {
    const manual = await newPlace(service, { settings: { auto_save: false } });
    await writeFile(manual, '/a.txt', 'one\ntwo\n');
    const clone = await git.clone(manual.projectId, manual.user);
    await clone.git('checkout', '--quiet', '-b', 'feature');
    await clone.commit('Count from zero', { 'a.txt': 'zero\none\ntwo\n' });
    await clone.git('push', '--quiet', 'origin', 'feature');
    const { client } = await open('/a.txt', manual.user, manual);
    client.send({ type: 'code_change', file_path: '/a.txt', changes: [insert(2, 4, ' typed')] });
    const merge = await inProject(manual, 'POST', '/merges', { json: { source: 'feature', target: 'main' } });
    expect(merge.status, merge.text).toBe(201);
    expect((await client.next('code_change')).user_id).toBe(manual.user.id);
    expect(client.textOf('/a.txt')).toBe('zero\none\ntwo typed\n');
  });

  test('is left unchanged if the new content equals the text (L14)', async () => {
    const manual = await newPlace(service, { settings: { auto_save: false } });
    await writeFile(manual, '/a.txt', 'one\n');
    const { client } = await open('/a.txt', manual.user, manual);
    client.send({ type: 'code_change', file_path: '/a.txt', changes: [insert(1, 4, ' more')] });
    await writeFile(manual, '/a.txt', 'one more\n');
    client.send({ type: 'save', file_path: '/a.txt', seq: 1 });
    await client.next('saved', { seq: 1 });
    expect(client.textOf('/a.txt')).toBe('one more\n');
    expect(await contentAt(manual, '/a.txt')).toBe('one more\n');
  });

  test('is merged when it is next opened, if nobody has it open (L14)', async () => {
    const manual = await newPlace(service, { settings: { auto_save: false } });
    await writeFile(manual, '/a.txt', 'one\n');
    const texts = startTexts(service);
    const { client } = await open('/a.txt', manual.user, manual, texts);
    client.send({ type: 'code_change', file_path: '/a.txt', changes: [insert(1, 4, ' typed')] });
    await texts.drain();
    await writeFile(manual, '/a.txt', 'zero\none\n');
    const { state } = await open('/a.txt', manual.user, manual);
    expect(state.content).toBe('zero\none typed\n');
  });

  test('is closed if it was deleted or is no longer text, and its editors are told (L15)', async () => {
    for (const [path, change] of [
      ['/binary.txt', () => writeFile(place, '/binary.txt', 'a\0')],
      ['/gone.txt', async () => inProject(place, 'DELETE', `/files/${(await writeFile(place, '/gone.txt', 'x')).id}`)],
    ] as const) {
      await writeFile(place, path, 'x');
      const { client } = await open(path);
      const yjs = joinByYjs(join(live.texts, place, guest), path);
      await waitFor('the provider is synced', () => yjs.provider.synced);
      const closed = new Promise((resolve) => yjs.provider.on('close', resolve));
      await change();
      expect(await client.next('file_operation')).toMatchObject({
        operation: 'delete',
        file_path: path,
        user_id: place.user.id,
      });
      await closed;
      client.send({ type: 'code_change', file_path: path, changes: [insert(1, 1, 'y')], seq: 2 });
      expect(await client.next('error', { seq: 2 })).toMatchObject({
        code: path === '/gone.txt' ? 'NOT_FOUND' : 'CONFLICT',
      });
      await yjs.close();
    }
    await writeFile(place, '/gone.txt', 'again');
    expect((await open('/gone.txt')).state.content).toBe('again');
  });

  test('keeps its text when it is moved, including unsaved changes (L15)', async () => {
    const manual = await newPlace(service, { settings: { auto_save: false } });
    const { id } = await writeFile(manual, '/old.txt', 'x');
    const { client } = await open('/old.txt', manual.user, manual);
    client.send({ type: 'code_change', file_path: '/old.txt', changes: [insert(1, 1, 'y')] });
    await inProject(manual, 'POST', `/files/${id}/move`, { json: { path: '/new.txt' } });
    expect(await client.next('file_operation')).toMatchObject({
      operation: 'rename',
      file_path: '/old.txt',
      new_path: '/new.txt',
    });
    client.send({ type: 'code_change', file_path: '/new.txt', changes: [insert(1, 1, 'z')], base_revision: 1 });
    client.send({ type: 'open_file', file_path: '/new.txt' });
    expect(await client.next('file_state')).toMatchObject({ content: 'zyx', revision: 2 });
  });

  test('is saved at its new path if it is moved before it is saved, even if nobody opens it there (L15)', async () => {
    const settings = { BOTTEGA_LIVE_SAVE_PAUSE: '600000', BOTTEGA_LIVE_SAVE_INTERVAL: '600000' };
    const patient = startTexts(service, { settings });
    const own = await newPlace(service);
    for (const by of ['REST', 'a socket']) {
      const [from, to] = [`/from ${by}.txt`, `/to ${by}.txt`];
      const { id } = await writeFile(own, from, 'x');
      const client = join(patient, own, own.user);
      client.send({ type: 'open_file', file_path: from });
      client.send({ type: 'code_change', file_path: from, changes: [insert(1, 1, 'typed ')], seq: 1 });
      await client.next('ack', { seq: 1, durable: true });
      if (by === 'REST') {
        await inProject(own, 'POST', `/files/${id}/move`, { json: { path: to } });
        await client.next('file_operation', { operation: 'rename' });
      } else {
        client.send({ type: 'file_operation', operation: 'rename', file_path: from, new_path: to, seq: 2 });
        await client.next('ack', { seq: 2 });
      }
      await client.connection.close();
      await patient.recover();
      await waitFor('it is saved', async () => (await contentAt(own, to)) === 'typed x');
    }
    await patient.drain();
  });
});

test('Platform API, Events: code_change and file_operation name the user who changed the open file by REST', async () => {
  const shared = await newPlace(service, { settings: { auto_save: false } });
  const editor = await service.createUser();
  await addCollaborator(service, shared.projectId, editor, { role: 'editor', permissions: ['read', 'write'] });
  const { id } = await writeFile(shared, '/a.txt', 'one\n');
  const { client } = await open('/a.txt', shared.user, shared);
  client.send({ type: 'code_change', file_path: '/a.txt', changes: [insert(1, 1, 'typed ')] });
  await writeFile({ ...shared, user: editor }, '/a.txt', 'one\ntwo\n');
  expect(await client.next('code_change')).toMatchObject({ user_id: editor.id });
  client.send({ type: 'save', file_path: '/a.txt', seq: 1 });
  await client.next('saved', { seq: 1 });
  // Their edit is committed already, so they are not an author of the save.
  expect((await history(shared)).data[0]?.message).toBe('Edit a.txt');
  await inProject({ ...shared, user: editor }, 'POST', `/files/${id}/move`, { json: { path: '/b.txt' } });
  expect(await client.next('file_operation')).toMatchObject({ operation: 'rename', user_id: editor.id });
});

test('Webhooks API, guide envelope: an event caused by a socket has the id of the request that opened the socket', async () => {
  const own = await newPlace(service);
  await writeFile(own, '/live.txt', 'x');
  const { client } = await open('/live.txt', own.user, own);
  client.send({ type: 'code_change', file_path: '/live.txt', changes: [insert(1, 1, 'y')] });
  client.send({ type: 'save', file_path: '/live.txt', seq: 1 });
  await client.next('saved', { seq: 1 });
  client.send({ type: 'file_operation', operation: 'create', file_path: '/made.txt', seq: 2 });
  await client.next('ack', { seq: 2 });
  const requests = await service.db
    .selectFrom('events')
    .select(['type', 'request_id'])
    .where('project_id', '=', own.projectId)
    .where('type', 'like', 'file.%')
    .orderBy('id')
    .execute();
  expect(requests.slice(1)).toEqual([
    { type: 'file.updated', request_id: client.peer.requestId },
    { type: 'file.created', request_id: client.peer.requestId },
  ]);
});

describe('a file operation', () => {
  test('creates, renames and deletes files on behalf of its sender, and tells the others', async () => {
    const [a, b] = [join(live.texts, place, guest), join(live.texts, place, place.user)];
    a.send({ type: 'file_operation', operation: 'create', file_path: '/made/new.txt', content: 'new\n', seq: 1 });
    expect(await a.next('ack', { seq: 1 })).toMatchObject({ file_path: '/made/new.txt', durable: true });
    expect(await b.next('file_operation')).toMatchObject({ operation: 'create', user_id: guest.id });
    expect(await contentAt(place, '/made/new.txt')).toBe('new\n');
    expect((await history(place)).data[0]).toMatchObject({
      author: { email: guest.email },
      message: 'Write new.txt',
    });

    b.send({ type: 'open_file', file_path: '/made/new.txt' });
    await b.next('file_state');
    b.send({ type: 'code_change', file_path: '/made/new.txt', changes: [insert(1, 1, 'typed ')] });
    a.send({
      type: 'file_operation',
      operation: 'rename',
      file_path: '/made/new.txt',
      new_path: '/made/moved.txt',
      seq: 2,
    });
    await a.next('ack', { seq: 2 });
    expect(await b.next('file_operation')).toMatchObject({ operation: 'rename', new_path: '/made/moved.txt' });
    b.send({ type: 'open_file', file_path: '/made/moved.txt' });
    expect(await b.next('file_state')).toMatchObject({ content: 'typed new\n' });

    a.send({ type: 'file_operation', operation: 'delete', file_path: '/made/moved.txt', seq: 3 });
    await a.next('ack', { seq: 3 });
    expect(await b.next('file_operation')).toMatchObject({ operation: 'delete', file_path: '/made/moved.txt' });
    expect(a.messages.filter(({ type }) => type === 'file_operation')).toEqual([]);
  });

  test('that is impossible is refused', async () => {
    const a = join(live.texts, place, place.user);
    await writeFile(place, '/there.txt', 'x');
    const wrong = [
      [{ operation: 'create', file_path: '/there.txt' }, 'CONFLICT'],
      [{ operation: 'create', file_path: 'there.txt' }, 'VALIDATION_ERROR'],
      [{ operation: 'create', file_path: '/half.txt', content: '\ud83d' }, 'VALIDATION_ERROR'],
      [{ operation: 'delete', file_path: '/nothing.txt' }, 'NOT_FOUND'],
      [{ operation: 'rename', file_path: '/there.txt' }, 'VALIDATION_ERROR'],
      [{ operation: 'rename', file_path: '/auto.txt', new_path: '/there.txt/below' }, 'CONFLICT'],
    ] as const;
    for (const [seq, [operation, code]] of wrong.entries()) {
      a.send({ type: 'file_operation', ...operation, seq });
      expect(await a.next('error', { seq })).toMatchObject({ code });
    }
    a.rights.delete('write');
    a.send({ type: 'file_operation', operation: 'delete', file_path: '/there.txt', seq: 99 });
    expect(await a.next('error', { seq: 99 })).toMatchObject({ code: 'AUTHORIZATION_ERROR' });
  });

  test('beyond the limit of a session is refused', async () => {
    const texts = startTexts(service, { settings: { BOTTEGA_LIVE_FILE_OPERATIONS: '2' } });
    const a = join(texts, place, place.user, { sessionId: 'ses_limited' });
    for (const seq of [1, 2, 3]) {
      a.send({ type: 'file_operation', operation: 'create', file_path: `/limit-${seq}.txt`, seq });
    }
    expect(await a.next('error', { seq: 3 })).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      details: { limit: 2, window: 60, reset_at: expect.any(String) },
    });
    await texts.drain();
  });
});
