import type { ProjectComment, Session, SessionComment } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { useGitClient } from '../../repository/smart-http/git-client.fixture.ts';
import { expectError, invalid, missing } from '../../testing/clients/expect-error.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import {
  contentAt,
  inProject,
  listPaths,
  newPlace,
  type Place,
  writeFile,
} from '../../testing/samples/sample-files.ts';
import { onSessions, openSocket, startSession } from '../../testing/samples/sample-sessions.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({ settings: { BOTTEGA_LIVE_SAVE_PAUSE: '100' } });
const git = useGitClient(service);
let main: Place & { user: TestUser };
beforeAll(async () => {
  main = await newPlace(service);
  await writeFile(main, '/a.txt', 'one\ntwo\nthree\n');
});

/** A branch with a session, and a socket that has `/a.txt` open. */
async function editing(name: string) {
  const made = await inProject(main, 'POST', '/branches', { json: { name } });
  expect(made.status, made.text).toBe(201);
  const branch = { ...main, branch: name };
  const session = await startSession(service, main.user, { workspace_id: main.projectId, branch: name });
  const socket = await openSocket(service, session, { key: main.user.key });
  socket.send({ type: 'open_file', file_path: '/a.txt', branch: name });
  const state = await socket.next('file_state');
  return { branch, session, socket, state };
}

const type = (socket: { send(message: unknown): void }, text: string) =>
  socket.send({
    type: 'code_change',
    file_path: '/a.txt',
    changes: [{ type: 'insert', position: { line: 1, column: 1 }, text }],
  });

const hasContent = (place: Place, path: string, content: string) =>
  waitFor(`${path} has its content`, async () => (await contentAt(place, path)) === content);

describe('a session on a branch', () => {
  test('edits its files beside a session on main with the same path, and each session saves on its own branch', async () => {
    const { branch, session, socket, state } = await editing('typed');
    expect([session.branch, state.content]).toEqual(['typed', 'one\ntwo\nthree\n']);
    const other = await startSession(service, main.user, { workspace_id: main.projectId });
    expect(other).not.toHaveProperty('branch');
    const onMain = await openSocket(service, other, { key: main.user.key });
    onMain.send({ type: 'open_file', file_path: '/a.txt' });
    await onMain.next('file_state');
    type(socket, 'branch ');
    type(onMain, 'main ');
    await hasContent(branch, '/a.txt', 'branch one\ntwo\nthree\n');
    await hasContent(main, '/a.txt', 'main one\ntwo\nthree\n');
    const { sessions } = (
      await onSessions<{ sessions: Session[] }>(service, main.user, [
        'GET',
        `?workspace_id=${main.projectId}&branch=typed`,
      ])
    ).body;
    expect(sessions.map(({ session_id }) => session_id)).toEqual([session.session_id]);
    socket.send({ type: 'file_operation', operation: 'create', file_path: '/new.txt', content: 'x' });
    await waitFor('the file is there', async () => (await listPaths(branch)).includes('/new.txt'));
    expect(await listPaths(main)).toEqual(['/a.txt']);
    const files = await onSessions<{ files: { path: string }[] }>(service, main.user, [
      'GET',
      `/${session.session_id}/files`,
    ]);
    expect(files.body.files.map(({ path }) => path)).toEqual(['/a.txt', '/new.txt']);
    for (const { ws } of [socket, onMain]) ws.close();
  });

  test('needs an existing branch, and opens no other branch', async () => {
    const json = { name: 'x', workspace_id: main.projectId, branch: 'nowhere' };
    const refused = await onSessions(service, main.user, ['POST', '', json]);
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('is not a branch of the project')]);
    const { socket } = await editing('only');
    socket.send({ type: 'open_file', file_path: '/a.txt', branch: 'main' });
    expect(await socket.next('error')).toMatchObject({ code: 'VALIDATION_ERROR' });
    socket.ws.close();
  });

  test('starts only once no node of an older version runs, because such a node would show the files of main', async () => {
    const made = await inProject(main, 'POST', '/branches', { json: { name: 'early' } });
    expect(made.status, made.text).toBe(201);
    await service.pool.query("insert into live_nodes (id, address) values ('former', 'http://127.0.0.1:9')");
    const start = (branch: string) =>
      onSessions(service, main.user, ['POST', '', { name: 'x', workspace_id: main.projectId, branch }]);
    expect([(await start('early')).status, (await start('main')).status]).toEqual([503, 201]);
    await service.pool.query("delete from live_nodes where id = 'former'");
    expect((await start('early')).status).toBe(201);
  });

  test('takes changes to the branch by push, merge and REST into the open text', async () => {
    const { branch, socket } = await editing('followed');
    const copy = await git.clone(main.projectId, main.user);
    await copy.git('switch', '--quiet', 'followed');
    const before = await contentAt(branch, '/a.txt');
    await copy.commit('Push', { 'a.txt': before.replace('three', 'pushed') });
    await copy.git('push', '--quiet', 'origin', 'followed');
    await socket.next('code_change', ({ changes }) => JSON.stringify(changes).includes('pushed'));
    await writeFile(branch, '/a.txt', before.replace('three', 'by REST'));
    await socket.next('code_change', ({ changes }) => JSON.stringify(changes).includes('REST'));
    await copy.git('switch', '--quiet', '--create', 'source', 'origin/followed~1');
    await copy.commit('Other', { 'a.txt': `first\n${before}` });
    await copy.git('push', '--quiet', 'origin', 'source');
    const merged = await inProject(main, 'POST', '/merges', { json: { source: 'source', target: 'followed' } });
    expect(merged.status, merged.text).toBe(201);
    await socket.next('code_change', ({ changes }) => JSON.stringify(changes).includes('first'));
    socket.ws.close();
  });

  test('ends when its branch is deleted while somebody types, and the typed text is saved on a new branch', async () => {
    const { session, socket } = await editing('doomed');
    const before = (await contentAt({ ...main, branch: 'doomed' }, '/a.txt')).split('\n')[0] ?? '';
    await onProjectAutoSave(false);
    type(socket, 'typed ');
    await socket.next('ack');
    expect((await inProject(main, 'DELETE', '/branches/doomed')).status).toBe(204);
    const told = await socket.next('error', ({ code }) => code === 'NOT_FOUND');
    expect(told.details).toMatchObject({ branch: 'doomed', saved_to: 'doomed-unsaved' });
    expect((await contentAt({ ...main, branch: 'doomed-unsaved' }, '/a.txt')).split('\n')[0]).toBe(`typed ${before}`);
    expect((await socket.closed).reason).toContain('branch_deleted');
    expect((await onSessions(service, main.user, ['GET', `/${session.session_id}`])).status).toBe(404);
    await onProjectAutoSave(true);
  });
});

async function onProjectAutoSave(auto_save: boolean): Promise<void> {
  expect((await inProject(main, 'PATCH', '', { json: { settings: { auto_save } } })).status).toBe(200);
}

describe('a comment on a branch', () => {
  const position = { line: 2, column: 1 };

  test('belongs to the file on that branch, and the list of that branch shows no other comments', async () => {
    const { branch, session, socket } = await editing('commented');
    const json = { file_path: '/a.txt', position, content: 'here', branch: 'commented' };
    const outside = await inProject<ProjectComment>(main, 'POST', '/comments', { json });
    expect([outside.status, outside.body.branch], outside.text).toEqual([201, 'commented']);
    const inside = await onSessions<SessionComment>(service, main.user, [
      'POST',
      `/${session.session_id}/comments`,
      { file_path: '/a.txt', position, content: 'there' },
    ]);
    expect([inside.status, inside.body.branch], inside.text).toEqual([201, 'commented']);
    type(socket, 'before\n');
    await socket.next('ack');
    await hasContent(branch, '/a.txt', `before\n${await contentAt(main, '/a.txt')}`);
    const listed = async (query: string) =>
      (await inProject<{ data: ProjectComment[] }>(main, 'GET', `/comments?path=/a.txt${query}`)).body.data;
    expect((await listed('&branch=commented')).map((one) => one.position.line)).toEqual([3, 3]);
    expect(await listed('')).toEqual([]);
    const reply = await inProject<ProjectComment>(main, 'POST', '/comments', {
      json: { file_path: '/a.txt', position, content: 'yes', parent_id: outside.body.id },
    });
    expect(reply.body.branch).toBe('commented');
    const wrong = { ...json, branch: 'main', parent_id: outside.body.id };
    expectError(await inProject(main, 'POST', '/comments', { json: wrong }), { ...invalid, field: 'branch' });
    expectError(await inProject(main, 'POST', '/comments', { json: { ...json, branch: 'nowhere' } }), missing);
    socket.ws.close();
  });
});
