import type { File } from '@bottega/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { expectStoredEventsCatalogued } from '../../testing/contract/catalogue-validator.ts';
import {
  commit,
  idAt,
  inProject,
  newPlace,
  type Place,
  putFile,
  writeFile,
} from '../../testing/samples/sample-files.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
let place: Place & { user: TestUser };
beforeEach(async () => {
  place = await newPlace(service);
});

/** The file events of the project, in the order in which they happened. */
async function events() {
  return service.db
    .selectFrom('events')
    .selectAll()
    .where('project_id', '=', place.projectId)
    .where('type', 'like', 'file.%')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

async function lastEvent() {
  return (await events()).at(-1);
}

describe('a write by REST', () => {
  test('causes file.created with every documented field and its request', async () => {
    const answer = await putFile(place, { path: '/src/a.txt', content: 'one\ntwo\n' });
    const sha = answer.body.commit_sha;
    const [event, ...others] = await events();
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      id: expect.stringMatching(/^evt_/),
      type: 'file.created',
      account_id: place.user.id,
      project_id: place.projectId,
      actor_id: place.user.id,
      request_id: answer.headers.get('x-request-id'),
      idempotency_key: null,
    });
    expect(event?.data).toEqual({
      file_id: answer.body.id,
      project_id: place.projectId,
      project_name: 'Sample',
      file_path: '/src/a.txt',
      file_name: 'a.txt',
      file_type: 'text/plain',
      size: 8,
      updated_by: { name: place.user.name, email: place.user.email, username: place.user.username },
      changes: { lines_added: 2, lines_removed: 0, lines_modified: 0 },
      commit_sha: sha,
      branch: 'main',
      diff_url: `${service.url}/v1/projects/${place.projectId}/commits/${sha}`,
    });
  });

  test('causes file.updated with the changed lines, and with an address of the diff that works', async () => {
    await writeFile(place, '/a.txt', 'one\ntwo\nthree\nfour\n');
    await writeFile(place, '/a.txt', 'one\nTWO\nthree\nfive\nsix\n');
    const event = await lastEvent();
    expect(event).toMatchObject({ type: 'file.updated', data: { size: 23, file_path: '/a.txt' } });
    expect(event?.data.changes).toEqual({ lines_added: 1, lines_removed: 0, lines_modified: 2 });
    expect(event?.data).not.toHaveProperty('previous_path');
    const url = String(event?.data.diff_url);
    const answer = await fetch(url, { headers: { authorization: `Bearer ${place.user.key}` } });
    expect(await answer.json()).toMatchObject({ files: [{ path: '/a.txt', status: 'modified' }] });
  });

  test('causes no event if the content is the same or the write is refused', async () => {
    await writeFile(place, '/a.txt', 'same');
    await writeFile(place, '/a.txt', 'same');
    await putFile(place, { path: '/a.txt/below', content: 'x' });
    await putFile(place, { path: '/a.txt', content: 'x' }, { 'if-match': '"x"' });
    expect(await events()).toHaveLength(1);
  });

  test('counts no lines if the content is binary', async () => {
    await putFile(place, { path: '/b', content: 'AAECAw==', encoding: 'base64' });
    expect((await lastEvent())?.data.changes).toEqual({ lines_added: 0, lines_removed: 0, lines_modified: 0 });
  });
});

describe('Webhooks API, file.updated: changes has three integers', () => {
  const lines = (number: number, text: string) => `${text}\n`.repeat(number);

  test('for a move, which changes no line', async () => {
    const { id } = await writeFile(place, '/from.txt', 'one\n');
    await inProject(place, 'POST', `/files/${id}/move`, { json: { path: '/to.txt' } });
    const { data, type } = (await lastEvent()) ?? {};
    expect(type).toBe('file.updated');
    expect(data?.changes).toEqual({ lines_added: 0, lines_removed: 0, lines_modified: 0 });
  });

  test('for a large text that is rewritten, and for two parallel writes after that', async () => {
    await writeFile(place, '/large.txt', lines(20_000, 'a line of the former text'));
    expect((await lastEvent())?.data.changes).toEqual({ lines_added: 20_000, lines_removed: 0, lines_modified: 0 });
    await writeFile(place, '/large.txt', lines(15_000, 'another line, and a longer one than that'));
    expect((await lastEvent())?.data.changes).toEqual({ lines_added: 0, lines_removed: 5_000, lines_modified: 15_000 });
    const both = ['one', 'two'].map((word) => `${word}\n${lines(15_000, 'another line, and a longer one than that')}`);
    await Promise.all(both.map((content) => writeFile(place, '/large.txt', content)));
    const last = (await events()).slice(-2).map(({ data }) => data.changes);
    expect(last).toContainEqual({ lines_added: 1, lines_removed: 0, lines_modified: 0 });
    expect(last).toContainEqual({ lines_added: 0, lines_removed: 0, lines_modified: 1 });
  });

  test('for a deleted file, with the lines that were removed', async () => {
    const { id } = await writeFile(place, '/gone.txt', 'one\ntwo\n');
    await inProject(place, 'DELETE', `/files/${id}`);
    expect((await lastEvent())?.data.changes).toEqual({ lines_added: 0, lines_removed: 2, lines_modified: 0 });
  });
});

test('a move causes file.updated with the former path', async () => {
  const { id } = await writeFile(place, '/from.txt');
  await inProject(place, 'POST', `/files/${id}/move`, { json: { path: '/to.md' } });
  expect(await lastEvent()).toMatchObject({
    type: 'file.updated',
    data: { file_id: id, file_path: '/to.md', previous_path: '/from.txt', file_type: 'text/markdown' },
  });
});

test('a deleted directory causes file.deleted for each file in it', async () => {
  for (const name of ['a', 'b', 'c/d']) await writeFile(place, `/dir/${name}`);
  const answer = await inProject(place, 'DELETE', `/files/${await idAt(place, '/dir')}`);
  const deleted = (await events()).filter(({ type }) => type === 'file.deleted');
  expect(deleted.map(({ data }) => data.file_path).sort()).toEqual(['/dir/a', '/dir/b', '/dir/c/d']);
  expect(new Set(deleted.map(({ data }) => data.commit_sha)).size).toBe(1);
  expect(deleted.map((event) => event.request_id)).toEqual(Array(3).fill(answer.headers.get('x-request-id')));
});

test('a commit of several changes causes one event for each, with its Idempotency-Key, and a replay causes none', async () => {
  await writeFile(place, '/update', 'old\n');
  await writeFile(place, '/delete');
  const changes = [
    { action: 'create', path: '/create', content: 'x\n' },
    { action: 'update', path: '/update', content: 'new\n' },
    { action: 'delete', path: '/delete' },
  ];
  const answer = await commit(place, changes, { key: 'the-key' });
  expect((await commit(place, changes, { key: 'the-key' })).body).toEqual(answer.body);
  const caused = (await events()).slice(2);
  expect(caused.map(({ type, data }) => [type, data.file_path]).sort()).toEqual([
    ['file.created', '/create'],
    ['file.deleted', '/delete'],
    ['file.updated', '/update'],
  ]);
  for (const event of caused) {
    expect(event.idempotency_key).toBe('the-key');
    expect(event.data.commit_sha).toBe(answer.body.sha);
  }
});

test('a share link causes file.shared', async () => {
  const { id } = await writeFile(place, '/dir/shared.txt');
  const answer = await inProject<{ expires_at: string }>(place, 'POST', `/files/${id}/share`, { json: {} });
  expect(await lastEvent()).toMatchObject({ type: 'file.shared', request_id: answer.headers.get('x-request-id') });
  expect((await lastEvent())?.data).toEqual({
    file_id: id,
    project_id: place.projectId,
    project_name: 'Sample',
    file_path: '/dir/shared.txt',
    file_name: 'shared.txt',
    shared_by: { name: place.user.name, email: place.user.email, username: place.user.username },
    expires_at: answer.body.expires_at,
  });
});

test('without version control, events have neither commit nor branch', async () => {
  place = await newPlace(service, { settings: { version_control: false } });
  await writeFile(place, '/a', 'x\n');
  expect((await lastEvent())?.data).toMatchObject({ commit_sha: null, branch: null, diff_url: null });
});

test('the list of projects shows the current number of files and the last activity', async () => {
  const file: File = await writeFile(place, '/a');
  await writeFile(place, '/b/c');
  await inProject(place, 'DELETE', `/files/${file.id}`);
  const last = await writeFile(place, '/d');
  const response = await fetch(`${service.url}/v1/projects`, {
    headers: { authorization: `Bearer ${place.user.key}` },
  });
  expect(await response.json()).toMatchObject({
    data: [{ id: place.projectId, stats: { files_count: 2, last_activity: last.updated_at } }],
  });
});

test('every event in these tests has the data that the catalogue describes', async () => {
  await expectStoredEventsCatalogued(service.db);
});
