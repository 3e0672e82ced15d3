import type { SessionComment } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { inProject, newPlace, type Place, writeFile } from '../../testing/samples/sample-files.ts';
import { addCollaborator } from '../../testing/samples/sample-projects.ts';
import {
  joinSession,
  onSessions,
  openSocket,
  startSession,
  type TestSocket,
} from '../../testing/samples/sample-sessions.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({ role: 'api', settings: { BOTTEGA_LIVE_SAVE_PAUSE: '50' } });
let place: Place & { user: TestUser };
let viewer: TestUser;
let stranger: TestUser;
let session: Awaited<ReturnType<typeof startSession>>;
let socket: TestSocket;
beforeAll(async () => {
  place = await newPlace(service);
  [viewer, stranger] = [await service.createUser({ name: 'Viewer' }), await service.createUser({ name: 'Stranger' })];
  await addCollaborator(service, place.projectId, viewer, { role: 'viewer', permissions: ['read', 'comment'] });
  session = await startSession(service, place.user, { workspace_id: place.projectId });
  await joinSession(service, viewer, session);
  socket = await openSocket(service, session, { key: place.user.key });
});

const on = (user: TestUser, method: string, path = '', json?: unknown) =>
  onSessions<SessionComment>(service, user, [method, `/${session.session_id}/comments${path}`, json]);

async function comment(user: TestUser, json: Record<string, unknown>): Promise<SessionComment> {
  const answer = await on(user, 'POST', '', { content: 'Hm.', ...json });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

const read = async (id: string) => (await on(place.user, 'GET', `/${id}`)).body;

async function edit(path: string, changes: unknown[]): Promise<void> {
  const seq = Math.floor(Math.random() * 1e9);
  socket.send({ type: 'code_change', file_path: path, changes, seq });
  await socket.next('ack', (ack) => ack.seq === seq && ack.durable);
}

const at = (line: number, column: number) => ({ line, column });

describe('a comment', () => {
  test('is created with 201 and all its fields, has its author set by the service, and is announced to the session', async () => {
    await writeFile(place, '/made.txt', 'one\ntwo three\n');
    const made = await comment(viewer, {
      file_path: '/made.txt',
      position: at(2, 5),
      end: at(2, 10),
      type: 'question',
    });
    expect(made).toEqual({
      id: expect.stringMatching(/^cmt_[0-9a-z]{26}$/),
      session_id: session.session_id,
      parent_id: null,
      file_path: '/made.txt',
      position: at(2, 5),
      end: at(2, 10),
      quoted_text: 'three',
      orphaned: false,
      content: 'Hm.',
      type: 'question',
      suggestion: null,
      author: { user_id: viewer.id, username: viewer.username, name: viewer.name },
      resolved: false,
      resolved_by: null,
      applied_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await socket.next('comment_created', (one) => one.comment.id === made.id)).comment).toEqual(made);
    expect(await read(made.id)).toEqual(made);
    const row = await service.db
      .selectFrom('session_comments')
      .select(['author_id', 'project_id'])
      .where('id', '=', made.id)
      .executeTakeFirst();
    expect(row).toEqual({ author_id: viewer.id, project_id: place.projectId });
  });

  test('created twice with one Idempotency-Key exists once', async () => {
    const url = `${service.url}/v1/collaboration/sessions/${session.session_id}/comments`;
    const sent = {
      token: viewer.key,
      json: { file_path: '/made.txt', position: at(1, 1), content: 'Once' },
      headers: { 'idempotency-key': 'one-comment' },
    };
    const [first, second] = [await call('POST', url, sent), await call('POST', url, sent)];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    const { comments } = (await on(place.user, 'GET', '?file_path=/made.txt')).body as unknown as {
      comments: SessionComment[];
    };
    expect(comments.filter(({ content }) => content === 'Once')).toHaveLength(1);
  });

  test('moves with the text, is orphaned when its text is deleted, and survives the closing of the text', async () => {
    await writeFile(place, '/moves.txt', 'first\nsecond word\nthird\n');
    const ranged = await comment(viewer, { file_path: '/moves.txt', position: at(2, 8), end: at(2, 12) });
    const ofLine = await comment(viewer, { file_path: '/moves.txt', position: at(3, 2) });
    expect([ranged.quoted_text, ofLine.quoted_text]).toEqual(['word', 'third']);
    await edit('/moves.txt', [
      { type: 'insert', position: at(1, 1), text: 'zeroth\n' },
      { type: 'insert', position: at(2, 1), text: 'the ' },
    ]);
    expect(await read(ranged.id)).toMatchObject({ position: at(3, 12), end: at(3, 16), orphaned: false });
    expect(await read(ofLine.id)).toMatchObject({ position: at(4, 2), end: null, orphaned: false });
    await edit('/moves.txt', [{ type: 'delete', position: at(3, 11), end: at(4, 6) }]);
    expect(await read(ranged.id)).toMatchObject({ position: at(3, 11), quoted_text: 'word', orphaned: true });
    expect(await read(ofLine.id)).toMatchObject({ quoted_text: 'third', orphaned: true });
  });

  test('moves when REST changes the file while nobody has it open', async () => {
    await writeFile(place, '/closed.txt', 'a\nb\n');
    const made = await comment(viewer, { file_path: '/closed.txt', position: at(2, 1), end: at(2, 2) });
    await writeFile(place, '/closed.txt', 'zero\na\nb\n');
    await waitFor('it has moved', async () => (await read(made.id)).position.line === 3);
  });

  test('on a missing place or file keeps the position it was given, and a comment follows a file that is renamed', async () => {
    await writeFile(place, '/short.txt', 'x');
    expect(await comment(viewer, { file_path: '/short.txt', position: at(9, 9) })).toMatchObject({
      position: at(9, 9),
      orphaned: true,
      quoted_text: '',
    });
    expect(await comment(viewer, { file_path: 'no/such.txt', position: at(1, 1) })).toMatchObject({
      file_path: '/no/such.txt',
      orphaned: true,
    });
    const { id } = await writeFile(place, '/before.txt', 'x\ny');
    const made = await comment(viewer, { file_path: '/before.txt', position: at(2, 1) });
    await inProject(place, 'POST', `/files/${id}/move`, { json: { path: '/after.txt' } });
    await waitFor('it has followed', async () => (await read(made.id)).file_path === '/after.txt');
    expect(await read(made.id)).toMatchObject({ position: at(2, 1), orphaned: false });
    await inProject(place, 'DELETE', `/files/${id}`);
    await waitFor('it is orphaned', async () => (await read(made.id)).orphaned);
  });

  test('is listed by file and by type, oldest first', async () => {
    await writeFile(place, '/list.txt', 'x\n');
    const one = await comment(viewer, { file_path: '/list.txt', position: at(1, 1), type: 'issue' });
    const two = await comment(place.user, { file_path: '/list.txt', position: at(1, 1), parent_id: one.id });
    const list = async (query: string) =>
      (await on(viewer, 'GET', query)).body as unknown as { comments: SessionComment[]; total: number };
    expect(await list('?file_path=/list.txt')).toEqual({ comments: [one, two], total: 2 });
    expect(await list('?file_path=/list.txt&type=issue')).toEqual({ comments: [one], total: 1 });
    expect((await list('?type=suggestion')).comments.every(({ type }) => type === 'suggestion')).toBe(true);
    expectError(await on(viewer, 'GET', '?type=opinion'), { status: 400, code: 'VALIDATION_ERROR' });
  });

  test('can be changed by its author only, resolved by all who can comment, and deleted by its author or an admin', async () => {
    const made = await comment(viewer, { file_path: '/made.txt', position: at(1, 1) });
    expectError(await on(place.user, 'PATCH', `/${made.id}`, { content: 'Mine' }), {
      status: 403,
      code: 'AUTHORIZATION_ERROR',
    });
    expect((await on(viewer, 'PATCH', `/${made.id}`, { content: 'Better' })).body).toMatchObject({ content: 'Better' });
    const resolved = await on(place.user, 'PATCH', `/${made.id}`, { resolved: true });
    expect(resolved.body).toMatchObject({ resolved: true, resolved_by: place.user.id, content: 'Better' });
    await socket.next('comment_updated', (one) => one.comment.id === made.id && one.comment.resolved);
    expect((await on(viewer, 'PATCH', `/${made.id}`, { resolved: false })).body).toMatchObject({ resolved_by: null });

    const other = await comment(place.user, { file_path: '/made.txt', position: at(1, 1) });
    expectError(await on(viewer, 'DELETE', `/${other.id}`), { status: 403, code: 'AUTHORIZATION_ERROR' });
    const reply = await comment(viewer, { file_path: '/made.txt', position: at(1, 1), parent_id: made.id });
    expect((await on(place.user, 'DELETE', `/${made.id}`)).status).toBe(204);
    await socket.next('comment_deleted', (one) => one.comment_id === made.id);
    for (const id of [made.id, reply.id]) {
      expectError(await on(viewer, 'GET', `/${id}`), { status: 404, code: 'NOT_FOUND' });
    }
  });

  test('with a suggestion is applied once, by a user with write access', async () => {
    await writeFile(place, '/suggest.txt', 'speling\n');
    const made = await comment(viewer, {
      file_path: '/suggest.txt',
      position: at(1, 1),
      end: at(1, 8),
      type: 'suggestion',
      suggestion: 'spelling',
    });
    expectError(await on(viewer, 'POST', `/${made.id}/apply`), { status: 403, code: 'AUTHORIZATION_ERROR' });
    await edit('/suggest.txt', [{ type: 'insert', position: at(1, 1), text: 'My ' }]);
    const answers = await Promise.all([1, 2, 3].map(() => on(place.user, 'POST', `/${made.id}/apply`)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(await read(made.id)).toMatchObject({
      applied_at: expect.any(String),
      resolved: true,
      resolved_by: place.user.id,
    });
    socket.send({ type: 'open_file', file_path: '/suggest.txt', seq: 77 });
    expect(await socket.next('file_state', (state) => state.seq === 77)).toMatchObject({ content: 'My spelling\n' });
    const plain = await comment(viewer, { file_path: '/suggest.txt', position: at(1, 1) });
    expectError(await on(place.user, 'POST', `/${plain.id}/apply`), { status: 409, code: 'CONFLICT' });
  });

  test('can also be sent by the socket', async () => {
    const theirs = await openSocket(service, session, { key: viewer.key });
    const body = { file_path: '/made.txt', position: at(1, 2), content: 'By socket', author: 'somebody else' };
    theirs.send({ type: 'comment', comment: body, seq: 1 });
    expect(await theirs.next('error')).toMatchObject({ code: 'VALIDATION_ERROR', seq: 1 });
    theirs.send({ type: 'comment', comment: { ...body, author: undefined }, seq: 2 });
    await theirs.next('ack', (ack) => ack.seq === 2);
    const { comment: made } = await socket.next('comment_created', (one) => one.comment.content === 'By socket');
    expect(made).toMatchObject({ author: { user_id: viewer.id }, quoted_text: 'one' });
    theirs.ws.close();
  });

  test('is hidden from strangers, and invalid comments are refused', async () => {
    const body = { file_path: '/made.txt', position: at(1, 1), content: 'x' };
    for (const [method, path, json] of [
      ['GET', '', undefined],
      ['POST', '', body],
    ] as const) {
      expectError(await on(stranger, method, path, json), { status: 404, code: 'INVALID_SESSION' });
    }
    const bad: [Record<string, unknown>, string][] = [
      [{ ...body, content: '' }, 'content'],
      [{ ...body, position: at(0, 1) }, 'position.line'],
      [{ ...body, type: 'opinion' }, 'type'],
      [{ ...body, end: at(1, 0) }, 'end.column'],
      [{ ...body, position: at(2, 1), end: at(1, 1) }, 'end'],
      [{ ...body, suggestion: 'y' }, 'suggestion'],
      [{ ...body, parent_id: 'cmt_nothing' }, 'parent_id'],
      [{ ...body, author: 'me' }, 'author'],
    ];
    for (const [json, field] of bad) {
      const answer = await on(viewer, 'POST', '', json);
      expectError(answer, { status: 422, code: 'VALIDATION_ERROR' });
      expect(answer.text).toContain(`"field":"${field}"`);
    }
    for (const path of ['/cmt_nothing', '/cmt_00000000000000000000000000']) {
      expectError(await on(viewer, 'PATCH', path, { resolved: true }), { status: 404, code: 'NOT_FOUND' });
    }
  });
});

test('the comments of a session share one size limit, and beyond it no comment is created or changed', async () => {
  const own = await startSession(service, place.user, { workspace_id: place.projectId });
  const send = (method: string, path: string, json: unknown) =>
    onSessions<SessionComment>(service, place.user, [method, `/${own.session_id}/comments${path}`, json]);
  const suggestion = { content: 'x', file_path: '/none.txt', position: at(1, 1), type: 'suggestion' };
  const made = await send('POST', '', { ...suggestion, suggestion: 'x' });
  expect(made.status, made.text).toBe(201);
  await service.db
    .updateTable('session_comments')
    .set({ quoted_text: 'x'.repeat(8 * 1024 * 1024) })
    .where('id', '=', made.body.id)
    .execute();
  const tooMuch = { status: 422, code: 'VALIDATION_ERROR' } as const;
  expectError(await send('POST', '', suggestion), tooMuch);
  expectError(await send('PATCH', `/${made.body.id}`, { content: 'xx' }), tooMuch);
});
