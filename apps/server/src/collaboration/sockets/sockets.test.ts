import { beforeAll, describe, expect, test } from 'vitest';
import { expectError, expectRateHeaders } from '../../testing/clients/expect-error.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { recordingTexts } from '../../testing/samples/recording-texts.ts';
import { addCollaborator, createProject } from '../../testing/samples/sample-projects.ts';
import {
  joinSession,
  onSessions,
  openSocket,
  participantsOf,
  refusalOf,
  startSession,
} from '../../testing/samples/sample-sessions.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const texts = recordingTexts();
const service = useTestService({ role: 'api', createLiveTexts: () => texts });
let owner: TestUser;
let editor: TestUser;
let projectId: string;
beforeAll(async () => {
  owner = await service.createUser();
  editor = await service.createUser();
  projectId = (await createProject(service, owner)).id;
  await addCollaborator(service, projectId, editor, { role: 'editor', permissions: ['read', 'write', 'comment'] });
});

describe('a socket', () => {
  test.each(['/v1', '/api/v1'])('is opened below %s with a key, and carries messages to the others', async (mount) => {
    const session = await startSession(service, owner, { workspace_id: projectId });
    const one = await openSocket(service, session, { key: owner.key, mount });
    const two = await openSocket(service, session, { key: editor.key, mount });
    expectRateHeaders(new Headers(one.headers as Record<string, string>));
    expect(one.headers['x-request-id']).toMatch(/^req_/);
    expect([...texts.peers].map(({ requestId }) => requestId)).toContain(one.headers['x-request-id']);
    one.send({ type: 'cursor_move', file_path: '/a.txt', position: { line: 1, column: 1 }, user_id: 'somebody else' });
    expect(await two.next('cursor_move')).toMatchObject({ user_id: owner.id, file_path: '/a.txt' });
    expect(one.messages.filter(({ type }) => type === 'cursor_move')).toEqual([]);
    one.ws.close();
    two.ws.close();
    await Promise.all([one.closed, two.closed]);
    await waitFor('the project is saved', () => texts.saved.includes(projectId));
  });

  test('is refused without a credential, for strangers, and if there is no such session', async () => {
    const session = await startSession(service, owner, { workspace_id: projectId });
    expectError(await refusalOf(openSocket(service, session)), { status: 401, code: 'AUTHENTICATION_ERROR' });
    const stranger = await service.createUser();
    const answer = await refusalOf(openSocket(service, session, { key: stranger.key }));
    expectError(answer, { status: 404, code: 'INVALID_SESSION' });
  });

  test('can be opened once with the address from the answer to a join', async () => {
    const session = await startSession(service, owner, { workspace_id: projectId });
    const { ws_url: url } = await joinSession(service, editor, session);
    const socket = await openSocket(service, session, { url });
    expect(await participantsOf(service, owner, session)).toMatchObject([
      { user_id: owner.id, status: 'active', role: 'admin' },
      { user_id: editor.id, status: 'active', role: 'collaborator' },
    ]);
    expectError(await refusalOf(openSocket(service, session, { url })), { status: 401, code: 'AUTHENTICATION_ERROR' });
    socket.ws.close();
  });

  test('is told about users who join, changes of their permissions, and users who leave', async () => {
    const session = await startSession(service, owner, { workspace_id: projectId });
    const socket = await openSocket(service, session, { key: owner.key });
    await joinSession(service, editor, session);
    const joined = await socket.next('participant_joined');
    expect(joined.participant).toMatchObject({ user_id: editor.id, status: 'active' });
    const other = await openSocket(service, session, { key: editor.key });
    await onSessions(service, owner, [
      'PUT',
      `/${session.session_id}/participants/${editor.id}`,
      { permissions: { write: false } },
    ]);
    await other.next('participant_updated', ({ participant }) => !participant.permissions.write);
    expect(texts.rightsChanges).toContain(editor.id);
    await onSessions(service, editor, ['POST', `/${session.session_id}/leave`]);
    expect(await other.closed).toMatchObject({ code: 4003 });
    await socket.next('participant_left', ({ user_id }) => user_id === editor.id);
    await onSessions(service, owner, ['DELETE', `/${session.session_id}`]);
    await socket.next('session_ended', ({ reason }) => reason === 'ended');
    expect(await socket.closed).toMatchObject({ code: 4000 });
  });
});
