import { type EventEmitter, once } from 'node:events';
import { liveCloseCodes } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { signedInBrowser } from '../../testing/clients/browser.ts';
import { call } from '../../testing/clients/http-client.ts';
import { goodClaims, signJwt } from '../../testing/clients/service-jwt.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { issueAccessToken } from '../../testing/samples/oauth-tokens.ts';
import { recordingTexts } from '../../testing/samples/recording-texts.ts';
import { addCollaborator, createProject, onProject } from '../../testing/samples/sample-projects.ts';
import {
  joinSession,
  onSessions,
  openSocket,
  participantsOf,
  startSession,
} from '../../testing/samples/sample-sessions.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const texts = recordingTexts();
const service = useTestService({ role: 'api', createLiveTexts: () => texts });
let owner: TestUser;
beforeAll(async () => {
  owner = await service.createUser();
});

const everything = ['read', 'write', 'comment'] as const;

/** A session with its owner and an editor who has a socket. */
async function place() {
  const { id } = await createProject(service, owner);
  const editor = await service.createUser();
  const row = await addCollaborator(service, id, editor, { role: 'editor', permissions: [...everything] });
  const session = await startSession(service, owner, { workspace_id: id });
  const watching = await openSocket(service, session, { key: owner.key });
  const socket = await openSocket(service, session, { key: editor.key });
  const collaborator = `${id}/collaborators/${row}`;
  return { id, editor, session, watching, socket, collaborator, path: `/${session.session_id}` };
}

const peerOf = (user: TestUser) => [...texts.peers].find((peer) => peer.user.id === user.id);

describe('an open socket', () => {
  test('becomes read-only when its user becomes a viewer of the project, and can write again later (L9)', async () => {
    const { editor, watching, socket, collaborator } = await place();
    expect(peerOf(editor)?.may('write')).toBe(true);
    await onProject(service, owner, collaborator, ['PATCH', { role: 'viewer' }]);
    await watching.next('participant_updated', ({ participant }) => !participant.permissions.write);
    expect([peerOf(editor)?.may('write'), peerOf(editor)?.may('comment'), peerOf(editor)?.may('read')]).toEqual([
      false,
      true,
      true,
    ]);
    await onProject(service, owner, collaborator, ['PATCH', { role: 'editor' }]);
    await waitFor('they write again', () => peerOf(editor)?.may('write'));
    expect(texts.rightsChanges.filter((id) => id === editor.id)).toHaveLength(2);
    socket.ws.close();
  });

  test.each<[string, (at: Awaited<ReturnType<typeof place>>) => Promise<unknown>, number]>([
    [
      'is removed from the session',
      ({ editor, path }) => onSessions(service, owner, ['DELETE', `${path}/participants/${editor.id}`]),
      liveCloseCodes.removed,
    ],
    [
      'is removed from the project',
      ({ collaborator }) => onProject(service, owner, collaborator, ['DELETE']),
      liveCloseCodes.removed,
    ],
    ['has left', ({ editor, path }) => onSessions(service, editor, ['POST', `${path}/leave`]), liveCloseCodes.removed],
    [
      'is suspended',
      ({ editor }) =>
        service.db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', editor.id).execute(),
      liveCloseCodes.credentialGone,
    ],
    [
      'is in a project that is archived',
      ({ id }) => onProject(service, owner, id, ['PATCH', { status: 'archived' }]),
      liveCloseCodes.sessionEnded,
    ],
    [
      'is in a project without collaboration',
      ({ id }) => onProject(service, owner, id, ['PATCH', { settings: { collaboration_enabled: false } }]),
      liveCloseCodes.sessionEnded,
    ],
    [
      'is in a project that is deleted',
      ({ id }) => onProject(service, owner, id, ['DELETE']),
      liveCloseCodes.sessionEnded,
    ],
    [
      'is in a session that has expired',
      ({ session }) =>
        service.db
          .updateTable('collaboration_sessions')
          .set({ expires_at: new Date() })
          .where('id', '=', session.session_id)
          .execute(),
      liveCloseCodes.sessionEnded,
    ],
  ])('is closed when its user %s', async (_what, happens, code) => {
    const at = await place();
    await happens(at);
    expect(await at.socket.closed).toMatchObject({ code });
    at.watching.ws.close();
    await waitFor('no row is left', async () => {
      const rows = await service.db
        .selectFrom('live_sockets')
        .select('id')
        .where('user_id', '=', at.editor.id)
        .execute();
      return rows.length === 0;
    });
  });

  test('is not heard any more once it is closed, even if its client does not answer the close (L22)', async () => {
    const { socket, collaborator } = await place();
    // The part of the client that answers the close of the service.
    const { _receiver: receiver } = socket.ws as unknown as { _receiver: EventEmitter };
    receiver.removeAllListeners('conclude');
    const told = once(receiver, 'conclude');
    await onProject(service, owner, collaborator, ['DELETE']);
    expect((await told)[0]).toBe(liveCloseCodes.removed);
    const late = { type: 'cursor_move', file_path: '/late.txt', position: { line: 1, column: 1 } };
    socket.send(late);
    socket.ws.close();
    await socket.closed;
    expect(texts.messages.map(({ message }) => message)).not.toContainEqual(late);
  });

  test('of a guest is closed when the creator loses the project (L22)', async () => {
    const creator = await service.createUser();
    const guest = await service.createUser();
    const { id } = await createProject(service, owner);
    const row = await addCollaborator(service, id, creator, { role: 'editor', permissions: [...everything] });
    const session = await startSession(service, creator, { workspace_id: id });
    const { ws_url: url } = await joinSession(service, guest, session, { byLink: true });
    const socket = await openSocket(service, session, { url });
    await onProject(service, owner, `${id}/collaborators/${row}`, ['DELETE']);
    expect(await socket.closed).toMatchObject({ code: 4003 });
  });

  test('is warned five minutes before the end of the session, and again if the session was extended', async () => {
    const { session, socket, path } = await place();
    const inSeconds = (seconds: number) =>
      service.pool.query(
        'update collaboration_sessions set expires_at = now() + make_interval(secs => $2) where id = $1',
        [session.session_id, seconds],
      );
    await inSeconds(299);
    const { expires_at: first } = await socket.next('session_expiring');
    await onSessions(service, owner, ['POST', `${path}/extend`, { seconds: 1000 }]);
    await inSeconds(250);
    await socket.next('session_expiring', ({ expires_at }) => expires_at !== first);
    // A later socket is told too.
    await (await openSocket(service, session, { key: owner.key })).next('session_expiring');
    expect(socket.messages.filter(({ type }) => type === 'session_expiring')).toHaveLength(2);
  });
});

describe('a socket is closed with 4001 within a second (L22)', () => {
  /** How to connect with a credential, and how to end it. */
  type Credential = { headers?: Record<string, string>; query?: string; end(): Promise<unknown> };
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  const kinds: Record<string, (user: TestUser, sessionId: string) => Promise<Credential>> = {
    'an API key that is revoked': async (user) => {
      const { id, key } = await service.createKey(user.id);
      const end = () => call('DELETE', `${service.url}/v1/user/api-keys/${id}`, { token: user.key });
      return { headers: bearer(key), end };
    },
    'an API key that expires': async (user) => {
      const { key } = await service.createKey(user.id, { expiresAt: new Date(Date.now() + 3_000) });
      return { headers: bearer(key), end: async () => undefined };
    },
    'the key of a service that is rotated': async (user) => {
      const issuer = `issuer-${user.id}`;
      const { id, kid, secret } = await service.registerIssuer(user.id, issuer);
      const claims = goodClaims({ issuer, userId: user.id, audience: 'bottega' });
      const path = `${service.url}/v1/user/services/${id}/rotate`;
      const end = () => call('POST', path, { token: user.key, json: { overlap_seconds: 0 } });
      return { headers: bearer(await signJwt({ secret, claims, header: { kid } })), end };
    },
    "an app's authorization that is taken back": async (user) => {
      const { token, appId } = await issueAccessToken(service, user.id, ['read:collaboration']);
      const end = () => call('DELETE', `${service.url}/v1/user/authorized-apps/${appId}`, { token: user.key });
      return { headers: bearer(token), end };
    },
    "a browser's session that signs out": async (user) => {
      const browser = await signedInBrowser(service.url, user);
      const headers = { cookie: browser.cookie, origin: service.url };
      const token = { 'x-csrf-token': browser.session.csrf_token };
      const end = () => call('POST', `${service.url}/v1/auth/sign-out`, { headers: { ...headers, ...token } });
      return { headers, end };
    },
    'the key that a ticket was made with': async (user, sessionId) => {
      const { id, key } = await service.createKey(user.id);
      const made = await onSessions<{ ticket: string }>(service, { key }, ['POST', `/${sessionId}/ticket`]);
      const end = () => call('DELETE', `${service.url}/v1/user/api-keys/${id}`, { token: user.key });
      return { query: `?ticket=${made.body.ticket}`, end };
    },
  };

  test.each(Object.keys(kinds))('when its credential ends: %s', async (kind) => {
    const user = await service.createUser();
    const session = await startSession(service, user);
    const other = await openSocket(service, session, { key: user.key });
    const credential = await kinds[kind]?.(user, session.session_id);
    const socket = await openSocket(service, session, { ...credential });
    await credential?.end();
    expect(await socket.closed).toMatchObject({ code: 4001 });
    expect(other.ws.readyState).toBe(other.ws.OPEN);
    other.ws.close();
  });
});

test('a socket with a read-only credential cannot write (L9)', async () => {
  const user = await service.createUser();
  const session = await startSession(service, user);
  const { key } = await service.createKey(user.id, { scopes: ['read:collaboration'] });
  const socket = await openSocket(service, session, { key });
  expect([peerOf(user)?.may('read'), peerOf(user)?.may('write'), peerOf(user)?.may('comment')]).toEqual([
    true,
    false,
    false,
  ]);
  socket.ws.close();
});

test('a participant is active while any of their sockets is open, and away otherwise', async () => {
  const { editor, session, socket, watching } = await place();
  const second = await openSocket(service, session, { key: editor.key });
  const status = async () =>
    (await participantsOf(service, owner, session)).find(({ user_id }) => user_id === editor.id)?.status;
  expect(await status()).toBe('active');
  socket.ws.close();
  await waitFor('the first has gone', () => [...texts.peers].filter(({ user }) => user.id === editor.id).length === 1);
  expect(await status()).toBe('active');
  second.ws.close();
  await watching.next('participant_updated', ({ participant }) => participant.status === 'away');
  expect(await status()).toBe('away');
  const { rows } = await service.pool.query(
    'select last_seen > joined_at as later from session_participants where session_id = $1 and user_id = $2',
    [session.session_id, editor.id],
  );
  expect(rows).toEqual([{ later: true }]);
});
