import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
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
  type TestSocket,
} from '../../testing/samples/sample-sessions.ts';
import { startNode } from '../../testing/service/node.ts';
import { type NodeProcess, startNodeProcess } from '../../testing/service/node-process.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const settings = { BOTTEGA_LIVE_LEASE: '1' };
const texts = recordingTexts();
const service = useTestService({ role: 'api', settings, createLiveTexts: () => texts });
const sockets: TestSocket[] = [];
let owner: TestUser;
let editor: TestUser;
// The last tests stop them: the one drains, the other is paused and then killed.
let node: Awaited<ReturnType<typeof otherNode>>;
let remote: NodeProcess;
beforeAll(async () => {
  [owner, editor, node, remote] = await Promise.all([
    service.createUser(),
    service.createUser(),
    otherNode(),
    startNodeProcess(service, { settings, recordsTexts: true }),
  ]);
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.ws.terminate();
});
afterAll(async () => {
  remote?.child.kill('SIGKILL');
  await node?.close();
});

async function sharedSession() {
  const { id } = await createProject(service, owner);
  await addCollaborator(service, id, editor, { role: 'editor', permissions: ['read', 'write', 'comment'] });
  return startSession(service, owner, { workspace_id: id });
}

async function otherNode(other = recordingTexts()) {
  const { connection } = service.database;
  const options = { connection, settings, secretKey: service.secretKey, createLiveTexts: () => other };
  return { ...(await startNode(options)), texts: other };
}

async function open(...args: Parameters<typeof openSocket>): Promise<TestSocket> {
  const socket = await openSocket(...args);
  sockets.push(socket);
  return socket;
}

const cursor = { type: 'cursor_move', file_path: '/a.txt', position: { line: 1, column: 1 } };

test('sockets on both nodes meet at the node that owns the project (L18)', async () => {
  const session = await sharedSession();
  const here = await open(service, session, { key: owner.key });
  const there = await open(node, session, { key: editor.key });
  expectRateHeaders(new Headers(there.headers as Record<string, string>));
  expect(there.headers['x-request-id']).toMatch(/^req_/);
  there.send(cursor);
  expect(await here.next('cursor_move')).toMatchObject({ user_id: editor.id });
  here.send(cursor);
  expect(await there.next('cursor_move')).toMatchObject({ user_id: owner.id });
  there.ws.send(Buffer.alloc(200_000, 7), { binary: true });
  await waitFor('a large frame arrives whole', () => texts.frames.some(({ frame }) => frame.length === 200_000));
  expect(node.texts.messages).toEqual([]);
  expect(await participantsOf(node, owner, session)).toMatchObject([{ status: 'active' }, { status: 'active' }]);
});

test('a ticket, and every refusal, works through the other node as it does directly (L18)', async () => {
  const session = await sharedSession();
  await open(service, session, { key: owner.key });
  const { ws_url } = await joinSession(node, editor, session);
  const url = ws_url.replace(service.url.replace('http', 'ws'), node.url.replace('http', 'ws'));
  await open(node, session, { url });
  expectError(await refusalOf(openSocket(node, session, { url })), { status: 401, code: 'AUTHENTICATION_ERROR' });
  await onSessions(node, owner, ['DELETE', `/${session.session_id}/participants/${editor.id}`]);
  const removed = await refusalOf(openSocket(node, session, { key: editor.key }));
  expectError(removed, { status: 403, code: 'AUTHORIZATION_ERROR' });
});

test('the close codes and messages pass through the other node', async () => {
  const session = await sharedSession();
  await open(service, session, { key: owner.key });
  const there = await open(node, session, { key: editor.key });
  await onSessions(node, owner, ['DELETE', `/${session.session_id}`]);
  await there.next('session_ended');
  expect(await there.closed).toMatchObject({ code: 4000 });
});

test('the limit of ten sockets for each user applies across all nodes', async () => {
  const [one, two] = [await sharedSession(), await sharedSession()];
  for (let index = 0; index < 5; index++) {
    await open(service, one, { key: owner.key });
    await open(node, two, { key: owner.key });
  }
  for (const where of [service, node]) {
    const refused = await refusalOf(openSocket(where, one, { key: owner.key }));
    expectError(refused, { status: 429, code: 'RATE_LIMIT_EXCEEDED' });
  }
});

test('a node that was paused for too long closes its sockets and no longer owns the project (L19)', async () => {
  const session = await sharedSession();
  const { child, url } = remote;
  const direct = await open({ url }, session, { key: owner.key });
  const through = await open(service, session, { key: owner.key });
  child.kill('SIGSTOP');
  // The node announces nothing: its lease runs out.
  expect(await through.closed).toMatchObject({ code: 1012 });
  const again = await open(service, session, { key: owner.key });
  child.kill('SIGCONT');
  expect(await direct.closed).toMatchObject({ code: 4010 });
  again.send({ type: 'ping' });
  await again.next('pong');
});

test('when the owner is killed, its sockets are told to reconnect, and another node takes over (L20)', async () => {
  const session = await sharedSession();
  const { child, url } = remote;
  await open({ url }, session, { key: owner.key });
  const through = await open(service, session, { key: editor.key });
  child.kill('SIGKILL');
  expect(await through.closed).toMatchObject({ code: 1012 });
  const again = await open(service, session, { key: editor.key });
  again.send({ type: 'ping', seq: 1 });
  expect(await again.next('pong')).toMatchObject({ seq: 1 });
  await waitFor('this node has it', () => [...texts.peers].some(({ sessionId }) => sessionId === session.session_id));
});

test('a draining node tells all its sockets to reconnect, and releases its projects at once (L21)', async () => {
  const session = await sharedSession();
  const direct = await open(node, session, { key: owner.key });
  const through = await open(service, session, { key: editor.key });
  await node.close();
  expect(await direct.closed).toMatchObject({ code: 1012 });
  expect(await through.closed).toMatchObject({ code: 1012 });
  const left = service.db.selectFrom('live_owners').select('node_id').where('project_id', '=', session.workspace_id);
  expect(await left.execute()).toEqual([]);
  const again = await open(service, session, { key: editor.key });
  again.send({ type: 'ping' });
  await again.next('pong');
});
