import { expect, test } from 'vitest';
import { contentAt, inProject, newPlace, type Place, writeFile } from '../../testing/samples/sample-files.ts';
import {
  joinSession,
  onSessions,
  openSocket,
  participantsOf,
  startSession,
  type TestSocket,
} from '../../testing/samples/sample-sessions.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { expectProtected, protect } from './rules.fixture.ts';

const service = useTestService();
const reason = 'The branch main changes only by merge requests';
const refusal = { code: 'CONFLICT', message: reason, details: { reason: 'protected_branch', branch: 'main' } };

async function editing(place: Place & { user: TestUser }) {
  const session = await startSession(service, place.user, { workspace_id: place.projectId });
  const socket = await openSocket(service, session, { key: place.user.key });
  socket.send({ type: 'open_file', file_path: '/a.txt' });
  await socket.next('file_state');
  return { session, socket };
}

const withFile = async () => {
  const place = await newPlace(service, { settings: { auto_save: false } });
  await writeFile(place, '/a.txt', 'one\n');
  return place;
};

const type = (socket: TestSocket, text: string, seq: number) =>
  socket.send({
    ...{ type: 'code_change', file_path: '/a.txt', seq },
    changes: [{ type: 'insert', position: { line: 1, column: 1 }, text }],
  });

test('a session on a protected branch opens read-only, and says why', async () => {
  const place = await withFile();
  await protect(place);
  const { session, socket } = await editing(place);
  expect(session.read_only_reason).toBe(reason);
  const joined = await joinSession(service, place.user, session);
  expect(joined.session_info).toMatchObject({ permissions: { write: false }, read_only_reason: reason });
  expect(await participantsOf(service, place.user, session)).toMatchObject([{ permissions: { write: false } }]);
  type(socket, 'x', 1);
  expect(await socket.next('error')).toMatchObject(refusal);
  socket.send({ type: 'file_operation', operation: 'create', file_path: '/b.txt', seq: 2 });
  await socket.next('error', (message) => 'seq' in message && message.seq === 2);
  socket.send({ type: 'save', file_path: '/a.txt', seq: 3 });
  await socket.next('error', (message) => 'seq' in message && message.seq === 3);
  expect(socket.messages.filter((message) => message.type === 'error')).toMatchObject([refusal, refusal, refusal]);
  expect(await contentAt(place, '/a.txt')).toBe('one\n');
  socket.ws.close();
});

test('a session on another branch is not affected', async () => {
  const place = await withFile();
  await inProject(place, 'POST', '/branches', { json: { name: 'feature' } });
  await protect(place);
  const session = await startSession(service, place.user, { workspace_id: place.projectId, branch: 'feature' });
  expect(session).not.toHaveProperty('read_only_reason');
  const socket = await openSocket(service, session, { key: place.user.key });
  type(socket, 'x', 1);
  await socket.next('ack', (message) => message.seq === 1);
  socket.ws.close();
});

test('a rule added while people type stops their writing and keeps their text; removing it lets them continue', async () => {
  const place = await withFile();
  const { socket } = await editing(place);
  type(socket, 'typed ', 1);
  await socket.next('ack', ({ seq, durable }) => seq === 1 && durable === true);
  const rule = await protect(place);
  await socket.next('participant_updated', ({ participant }) => !participant.permissions.write);
  type(socket, 'x', 2);
  socket.send({ type: 'save', file_path: '/a.txt', seq: 3 });
  await socket.next('error', (message) => 'seq' in message && message.seq === 3);
  expect(socket.messages.filter((message) => message.type === 'error')).toMatchObject([refusal, refusal]);
  expect(await contentAt(place, '/a.txt')).toBe('one\n');
  await inProject(place, 'DELETE', `/branch-rules/${rule.id}`);
  await socket.next('participant_updated', ({ participant }) => participant.permissions.write);
  socket.send({ type: 'save', file_path: '/a.txt', seq: 4 });
  await socket.next('saved');
  expect(await contentAt(place, '/a.txt')).toBe('typed one\n');
  socket.ws.close();
});

test('a suggestion in a comment is not applied on a protected branch', async () => {
  const place = await withFile();
  const { session, socket } = await editing(place);
  const path = `/${session.session_id}/comments`;
  const comment = await onSessions<{ id: string }>(service, place.user, [
    'POST',
    path,
    {
      ...{ file_path: '/a.txt', content: 'Better', type: 'suggestion', suggestion: 'two' },
      ...{ position: { line: 1, column: 1 }, end: { line: 1, column: 4 } },
    },
  ]);
  expect(comment.status, comment.text).toBe(201);
  await protect(place);
  expectProtected(await onSessions(service, place.user, ['POST', `${path}/${comment.body.id}/apply`]));
  socket.ws.close();
});
