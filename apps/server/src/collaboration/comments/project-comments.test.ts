import type { Notification, ProjectComment } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { cpuMsUntil } from '../../testing/parts/cpu-time.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { ask } from '../../testing/samples/sample-collaborators.ts';
import { inProject, newPlace, type Place, writeFile } from '../../testing/samples/sample-files.ts';
import { addCollaborator } from '../../testing/samples/sample-projects.ts';
import { joinSession, onSessions, startSession } from '../../testing/samples/sample-sessions.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { deleteOldSessions } from '../sessions/index.ts';
import { purgeTexts } from '../texts/index.ts';

const service = useTestService({ role: 'api' });
let place: Place & { user: TestUser };
let viewer: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  place = await newPlace(service);
  [viewer, stranger] = [await service.createUser({ name: 'Viewer' }), await service.createUser()];
  await addCollaborator(service, place.projectId, viewer, { role: 'viewer', permissions: ['read', 'comment'] });
});

const on = <Body = ProjectComment>(user: TestUser, method: string, path = '', json?: unknown) =>
  ask<Body>(service, user, [method, `/projects/${place.projectId}/comments${path}`, json]);
const at = (line: number, column: number) => ({ line, column });

async function comment(user: TestUser, json: Record<string, unknown>): Promise<ProjectComment> {
  const answer = await on(user, 'POST', '', { content: 'Hm.', position: at(1, 1), ...json });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}
const read = async (id: string) => (await on(viewer, 'GET', `/${id}`)).body;
type List = { data: ProjectComment[]; pagination: { total: number } };
const list = async (query: string) => (await on<List>(viewer, 'GET', query)).body;
const idsOf = ({ data }: List) => data.map(({ id }) => id);

async function toldTo(user: TestUser): Promise<Notification[]> {
  return (await ask<{ data: Notification[] }>(service, user, ['GET', '/notifications'])).body.data;
}

describe('a comment that is created while', () => {
  /** Runs the statement, requests the comment, and commits once the comment waits for the statement's locks. */
  async function commentDuring(statement: string, inPlace: Place & { user: TestUser }) {
    await writeFile(inPlace, '/raced.txt', 'one\ntwo\n');
    const json = { content: 'Hm.', file_path: '/raced.txt', position: at(2, 1) };
    const ask = () => inProject<ProjectComment>(inPlace, 'POST', '/comments', { json });
    expect((await ask()).status).toBe(201);
    const client = await service.pool.connect();
    try {
      await client.query('begin');
      await client.query(statement, [inPlace.projectId]);
      const asked = ask();
      await waitFor('the comment waits', async () => {
        const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        return (await service.pool.query(waiting)).rowCount === 1;
      });
      await client.query('commit');
      return await asked;
    } finally {
      client.release();
    }
  }

  test('its live text is purged is still created, at the given place', async () => {
    const { status, body, text } = await commentDuring('delete from live_texts where project_id = $1', place);
    expect(status, text).toBe(201);
    expect(body).toMatchObject({ file_path: '/raced.txt', position: at(2, 1), orphaned: false });
    expect((await read(body.id)).position).toEqual(at(2, 1));
  });

  test('its project is purged is refused with 404, and leaves nothing', async () => {
    const gone = await newPlace(service);
    const answer = await commentDuring('delete from projects where id = $1', gone);
    expectError(answer, { status: 404, code: 'NOT_FOUND' });
  });

  test('its project is moved to the trash is refused with 404', async () => {
    const gone = await newPlace(service);
    const answer = await commentDuring(
      'with held as (select id from projects where id = $1 for update) update projects set deleted_at = now() where id = (select id from held)',
      gone,
    );
    expectError(answer, { status: 404, code: 'NOT_FOUND' });
  });
});

describe('a comment on a file', () => {
  test('needs no session, names its author, and is answered, resolved, changed and deleted', async () => {
    await writeFile(place, '/made.txt', 'one\ntwo three\n');
    const made = await comment(viewer, { file_path: '/made.txt', position: at(2, 5), end: at(2, 10) });
    expect(made).toMatchObject({
      session_id: null,
      file_path: '/made.txt',
      quoted_text: 'three',
      orphaned: false,
      author: { user_id: viewer.id, username: viewer.username, name: 'Viewer', avatar_url: expect.any(String) },
    });
    const reply = await comment(place.user, { file_path: '/made.txt', parent_id: made.id });
    expect(idsOf(await list('?path=/made.txt&resolved=false'))).toEqual([made.id, reply.id]);
    expect((await on(place.user, 'PATCH', `/${made.id}`, { resolved: true })).body.resolved).toBe(true);
    expect(idsOf(await list('?path=/made.txt&resolved=false'))).toEqual([]);
    expect(await list('?path=/made.txt&resolved=true&limit=1')).toMatchObject({ pagination: { total: 2 } });
    const forbidden = { status: 403, code: 'AUTHORIZATION_ERROR' } as const;
    expectError(await on(place.user, 'PATCH', `/${made.id}`, { content: 'Mine' }), forbidden);
    expectError(await on(viewer, 'DELETE', `/${reply.id}`), forbidden);
    expect((await on(place.user, 'DELETE', `/${made.id}`)).status).toBe(204);
    for (const { id } of [made, reply])
      expectError(await on(viewer, 'GET', `/${id}`), { status: 404, code: 'NOT_FOUND' });
    expectError(await on(stranger, 'GET'), { status: 404, code: 'NOT_FOUND' });
  });

  test('emits an event when it is created, changed and deleted, in a session too', async () => {
    await writeFile(place, '/events.txt', 'one\ntwo\n');
    const made = await comment(viewer, { file_path: '/events.txt', position: at(2, 1), type: 'question' });
    await on(place.user, 'PATCH', `/${made.id}`, { resolved: true });
    await on(place.user, 'DELETE', `/${made.id}`);
    const { session_id } = await startSession(service, place.user, { workspace_id: place.projectId });
    const json = { file_path: '/events.txt', position: at(1, 1), content: 'Here?' };
    await onSessions(service, place.user, ['POST', `/${session_id}/comments`, json]);
    type Told = { data: { event: string; data: Record<string, unknown> }[] };
    const query = `/events?format=reference&types=comment.*&project_id=${place.projectId}`;
    const { data } = (await ask<Told>(service, place.user, ['GET', query])).body;
    const told = data.filter(({ data: { file_path } }) => file_path === '/events.txt');
    expect(told.map(({ event }) => event)).toEqual([
      'comment.created',
      'comment.updated',
      'comment.deleted',
      'comment.created',
    ]);
    expect(told[0]?.data).toMatchObject({
      comment_id: made.id,
      project_id: place.projectId,
      session_id: null,
      line: 2,
      comment_type: 'question',
      content: 'Hm.',
      resolved: false,
      author: { name: 'Viewer' },
    });
    expect(told[1]?.data).toMatchObject({ resolved: true, updated_by: { username: place.user.username } });
    expect(told[2]?.data).toMatchObject({ deleted_by: { username: place.user.username } });
    expect(told[3]?.data).toMatchObject({ session_id, content: 'Here?' });
  });

  test('moves with changes of the file, follows the file when it is moved, and is orphaned when the file is deleted', async () => {
    const { id: fileId } = await writeFile(place, '/walks.txt', 'a\nhere\n');
    const made = await comment(viewer, { file_path: '/walks.txt', position: at(2, 1), end: at(2, 5) });
    await writeFile(place, '/walks.txt', 'zero\na\nhere\n');
    await waitFor('it has moved', async () => (await read(made.id)).position.line === 3);
    await inProject(place, 'POST', `/files/${fileId}/move`, { json: { path: '/deep/walks.txt' } });
    await waitFor('it has followed', async () => (await read(made.id)).file_path === '/deep/walks.txt');
    expect(await read(made.id)).toMatchObject({ position: at(3, 1), end: at(3, 5), orphaned: false });
    await inProject(place, 'DELETE', `/files/${fileId}`);
    await waitFor('it is orphaned', async () => (await read(made.id)).orphaned);
  });

  test('whose live text no longer exists is located by its quoted words, nearest to its former place', async () => {
    await writeFile(place, '/words.txt', 'x\nsame\ny\nsame\n');
    const ranged = await comment(viewer, { file_path: '/words.txt', position: at(4, 1), end: at(4, 5) });
    const ofLine = await comment(viewer, { file_path: '/words.txt', position: at(3, 1) });
    const lost = { text_id: null, anchor_place: null, anchor_from: null, anchor_to: null };
    await service.db.updateTable('session_comments').set(lost).where('file_path', '=', '/words.txt').execute();
    await writeFile(place, '/words.txt', 'x\nsame\nnew\nsame\n');
    await waitFor('the line is gone', async () => (await read(ofLine.id)).orphaned);
    expect(await read(ranged.id)).toMatchObject({ position: at(4, 1), end: at(4, 5), orphaned: false });
    await writeFile(place, '/words.txt', 'a\nb\nc\nd\nsame\n');
    await waitFor('it has moved', async () => (await read(ranged.id)).position.line === 5);
  });

  test('with a line number too large to store is refused with 422', async () => {
    const position = at(2 ** 31, 1);
    const json = { file_path: '/a.txt', position, content: 'Where?' };
    expectError(await inProject(place, 'POST', '/comments', { json }), { status: 422, code: 'VALIDATION_ERROR' });
  });

  test('whose words almost match everywhere is located about as fast as any other, even if there are many', async () => {
    const half = 'a'.repeat(5_000);
    await writeFile(place, '/alike.txt', `${'a'.repeat(500_000)}\n${half}b${half}\n${'a'.repeat(400_000)}\n`);
    const made: ProjectComment[] = [];
    for (let index = 0; index < 10; index++) {
      made.push(await comment(viewer, { file_path: '/alike.txt', position: at(1, 1), end: at(1, 2) }));
    }
    const lost = { text_id: null, anchor_place: null, anchor_from: null, anchor_to: null };
    const ofFile = service.db.updateTable('session_comments').where('file_path', '=', '/alike.txt');
    await ofFile.set({ ...lost, quoted_text: `${half}c${half}` }).execute();
    await ofFile
      .set({ quoted_text: `${half}b${half}` })
      .where('id', '=', made[3]?.id ?? '')
      .execute();
    const asked = list('?path=/alike.txt&limit=100');
    // It takes a second; the built-in search takes half a minute.
    expect(await cpuMsUntil(asked)).toBeLessThan(10_000);
    const { data } = await asked;
    expect(data.map(({ id, orphaned }) => [id, orphaned]).toSorted()).toEqual(
      made.map(({ id }, index) => [id, index !== 3]).toSorted(),
    );
    expect(data.find(({ id }) => id === made[3]?.id)).toMatchObject({ position: at(2, 1), end: at(2, 10_002) });
  });

  test('that was created in a session stays when the session ends, and when the session is purged', async () => {
    await writeFile(place, '/session.txt', 'one\n');
    const session = await startSession(service, place.user, { workspace_id: place.projectId });
    const body = { file_path: '/session.txt', position: at(1, 1), content: 'In a session' };
    const path = `/${session.session_id}/comments`;
    const { id } = (await onSessions<{ id: string }>(service, place.user, ['POST', path, body])).body;
    expect(await read(id)).toMatchObject({ session_id: session.session_id, author: { user_id: place.user.id } });
    await onSessions(service, place.user, ['DELETE', `/${session.session_id}`]);
    expect((await on(viewer, 'PATCH', `/${id}`, { resolved: true })).body.resolved).toBe(true);
    expect((await on(viewer, 'PATCH', `/${id}`, { resolved: false })).body.resolved).toBe(false);
    await service.pool.query(
      `update collaboration_sessions set ended_at = now() - interval '400 days', expires_at = now() - interval '400 days'`,
    );
    await deleteOldSessions(service.db, 30, 100);
    await purgeTexts(service.db);
    expect(await read(id)).toMatchObject({ session_id: null, quoted_text: 'one', position: at(1, 1), orphaned: false });
  });
});

describe('a person mentioned in a comment', () => {
  test('is notified if they can read the project, and a reply notifies the author in its thread', async () => {
    await writeFile(place, '/told.txt', 'one\n');
    const [first, second] = [await service.createUser(), await service.createUser()];
    for (const user of [first, second]) {
      await addCollaborator(service, place.projectId, user, { role: 'viewer', permissions: ['read', 'comment'] });
    }
    const content = `Look, @${first.username}. And @${stranger.username}, @nobody-here!`;
    const made = await comment(second, { file_path: '/told.txt', content });
    expect(await toldTo(first)).toMatchObject([
      { type: 'mention', actor: { id: second.id }, data: { comment_id: made.id, file_path: '/told.txt', line: 1 } },
    ]);
    expect(await toldTo(stranger)).toEqual([]);
    expect(await toldTo(second)).toEqual([]);
    await comment(first, { file_path: '/told.txt', parent_id: made.id, content: `Yes @${second.username}` });
    await comment(first, { file_path: '/told.txt', parent_id: made.id, content: 'And more' });
    expect((await toldTo(second)).map(({ type }) => type)).toEqual(['comment', 'mention']);
    expect(await toldTo(first)).toHaveLength(1);
  });

  test('is notified even if the excerpt of the comment ends inside a character', async () => {
    await writeFile(place, '/emoji.txt', 'one\n');
    const reader = await service.createUser();
    await addCollaborator(service, place.projectId, reader, { role: 'viewer', permissions: ['read', 'comment'] });
    const before = `@${reader.username} `.padEnd(139, 'x');
    await comment(place.user, { file_path: '/emoji.txt', content: `${before}😀 and more` });
    expect(await toldTo(reader)).toMatchObject([{ type: 'mention', data: { excerpt: `${before}\ufffd` } }]);
  });

  test('is notified once for each comment, even if an edit mentions them for the first time or again', async () => {
    await writeFile(place, '/edited.txt', 'one\n');
    const [first, second] = [await service.createUser(), await service.createUser()];
    for (const user of [first, second]) await addCollaborator(service, place.projectId, user, { role: 'viewer' });
    const made = await comment(viewer, { file_path: '/edited.txt', content: `Look, @${first.username}` });
    for (const content of [
      `Look, @${first.username} and @${second.username}`,
      'Nobody',
      `Again @${first.username}, @${second.username} and myself, @${viewer.username}`,
    ]) {
      expect((await on(viewer, 'PATCH', `/${made.id}`, { content })).status).toBe(200);
    }
    expect(await toldTo(first)).toMatchObject([{ type: 'mention', data: { mentioned_in: made.id } }]);
    expect(await toldTo(second)).toMatchObject([{ type: 'mention', data: { mentioned_in: made.id } }]);
    expect(await toldTo(viewer)).not.toContainEqual(expect.objectContaining({ type: 'mention' }));
  });

  test('by a guest of a session is notified only if they take part in the session or the thread', async () => {
    await writeFile(place, '/guests.txt', 'one\n');
    const [guest, inside, outside] = [
      await service.createUser(),
      await service.createUser(),
      await service.createUser(),
    ];
    for (const user of [inside, outside]) await addCollaborator(service, place.projectId, user, { role: 'viewer' });
    const session = await startSession(service, place.user, { workspace_id: place.projectId });
    await joinSession(service, inside, session);
    await joinSession(service, guest, session, { byLink: true });
    const content = `Hello @${inside.username} and @${outside.username}`;
    const json = { file_path: '/guests.txt', position: at(1, 1), content };
    const made = await onSessions(service, guest, ['POST', `/${session.session_id}/comments`, json]);
    expect(made.status, made.text).toBe(201);
    const mentions = async (user: TestUser) => (await toldTo(user)).filter(({ type }) => type === 'mention');
    expect(await mentions(inside)).toHaveLength(1);
    expect(await mentions(outside)).toEqual([]);
  });
});
