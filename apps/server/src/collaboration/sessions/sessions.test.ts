import type { Session } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { detailsOf, expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { addCollaborator, createProject, onProject } from '../../testing/samples/sample-projects.ts';
import {
  inviteTokenOf,
  joinSession,
  onSessions,
  participantsOf,
  startSession,
} from '../../testing/samples/sample-sessions.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({ role: 'api', settings: { BOTTEGA_SESSION_PARTICIPANTS: '3' } });
let owner: TestUser;
let editor: TestUser;
let viewer: TestUser;
let stranger: TestUser;
let projectId: string;
beforeAll(async () => {
  [owner, editor, viewer, stranger] = (await Promise.all(
    ['Owner', 'Editor', 'Viewer', 'Stranger'].map((name) => service.createUser({ name })),
  )) as [TestUser, TestUser, TestUser, TestUser];
  projectId = (await createProject(service, owner)).id;
  await addCollaborator(service, projectId, editor, { role: 'editor', permissions: ['read', 'write', 'comment'] });
  await addCollaborator(service, projectId, viewer, { role: 'viewer', permissions: ['read', 'comment'] });
});

const start = (user = owner, input = {}) => startSession(service, user, { workspace_id: projectId, ...input });
const idOf = ({ session_id: id }: Session) => id;
const unknown = { status: 404, code: 'INVALID_SESSION' } as const;

describe('creating a session', () => {
  test('returns everything that is documented, and the session lasts eight hours', async () => {
    const input = {
      name: ' Pairing ',
      description: 'Two heads',
      permissions: { read: true, write: true, admin: false },
    };
    const session = await start(owner, input);
    expect(session).toEqual({
      session_id: expect.stringMatching(/^ses_[0-9a-z]{26}$/),
      name: 'Pairing',
      description: 'Two heads',
      workspace_id: projectId,
      created_at: expect.any(String),
      expires_at: expect.any(String),
      invite_link: expect.stringMatching(new RegExp(`^${service.url}/join/${session.session_id}\\?invite=[\\w-]{43}$`)),
      permissions: { read: true, write: true, admin: false },
      ended_at: null,
    });
    expect(Date.parse(session.expires_at) - Date.parse(session.created_at)).toBe(28_800_000);
    expect(await participantsOf(service, owner, session)).toMatchObject([
      {
        user_id: owner.id,
        username: owner.username,
        name: owner.name,
        role: 'admin',
        status: 'active',
        permissions: { admin: true },
      },
    ]);
  });

  test('Platform API, Participant: a user who joined or sent a request is active for a minute, without a socket', async () => {
    const session = await start();
    const editor = await service.createUser();
    await joinSession(service, editor, session, { byLink: true });
    const statusOf = async ({ id }: TestUser, asking = owner) =>
      (await participantsOf(service, asking, session)).find(({ user_id }) => user_id === id)?.status;
    expect(await statusOf(editor)).toBe('active');
    await service.pool.query("update session_participants set active_until = now() - interval '1 second'");
    expect(await statusOf(editor)).toBe('away');
    expect(await statusOf(editor, editor)).toBe('active');
    expect(await statusOf(editor)).toBe('active');
  });

  test('stores the token of the link sealed', async () => {
    const session = await start();
    const { rows } = await service.pool.query('select t::text as row from collaboration_sessions t where id = $1', [
      session.session_id,
    ]);
    expect(rows[0].row).not.toContain(inviteTokenOf(session));
    expect(rows[0].row).not.toContain(Buffer.from(inviteTokenOf(session)).toString('hex'));
  });

  test('needs write access to the project, and refuses projects that the user cannot see', async () => {
    const asked = (user: TestUser, workspace_id = projectId) =>
      onSessions(service, user, ['POST', '', { name: 'x', workspace_id }]);
    expect((await asked(editor)).status).toBe(201);
    expectError(await asked(viewer), { status: 403, code: 'AUTHORIZATION_ERROR' });
    for (const id of [projectId, 'prj_00000000000000000000000000', 'x']) {
      const answer = await asked(stranger, id);
      expectError(answer, { status: 422, code: 'VALIDATION_ERROR' });
      expect(detailsOf(answer)).toEqual({ fields: [{ field: 'workspace_id', message: expect.any(String) }] });
    }
  });

  test('is refused if collaboration is switched off, and while the project is archived', async () => {
    const { id } = await createProject(service, owner, { settings: { collaboration_enabled: false } });
    const asked = (workspace_id: string) => onSessions(service, owner, ['POST', '', { name: 'x', workspace_id }]);
    expectError(await asked(id), { status: 403, code: 'AUTHORIZATION_ERROR' });
    const { id: archived } = await createProject(service, owner);
    await onProject(service, owner, archived, ['PATCH', { status: 'archived' }]);
    expectError(await asked(archived), { status: 409, code: 'CONFLICT' });
  });

  test('happens only once for an Idempotency-Key', async () => {
    const once = () =>
      call<Session>('POST', `${service.url}/api/v1/collaboration/sessions`, {
        token: owner.key,
        json: { name: 'Once', workspace_id: projectId },
        headers: { 'idempotency-key': 'a-session' },
      });
    const [first, second] = [await once(), await once()];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });
});

describe('joining', () => {
  test("returns the participants, the user's permissions and the address of the socket", async () => {
    const session = await start();
    const joined = await joinSession(service, editor, session);
    expect(joined).toEqual({
      success: true,
      session_info: {
        session_id: session.session_id,
        name: 'Sample',
        participants: [
          { user_id: owner.id, username: owner.username, role: 'admin', joined_at: expect.any(String) },
          { user_id: editor.id, username: editor.username, role: 'collaborator', joined_at: expect.any(String) },
        ],
        permissions: { read: true, write: true, admin: false },
      },
      ws_url: expect.stringMatching(
        new RegExp(`^ws://localhost:\\d+/v1/collaboration/sessions/${session.session_id}/ws\\?ticket=[\\w-]{43}$`),
      ),
    });
  });

  test('needs the link or read access to the project; strangers do not learn that the session exists', async () => {
    const session = await start();
    const path = `/${idOf(session)}`;
    for (const [method, below, json] of [
      ['GET', ''],
      ['POST', '/join', {}],
      ['POST', '/join', { invite_token: 'x'.repeat(43) }],
      ['POST', '/leave'],
      ['POST', '/ticket'],
      ['GET', '/participants'],
      ['DELETE', ''],
    ] as const) {
      expectError(await onSessions(service, stranger, [method, `${path}${below}`, json]), unknown);
    }
    const { session_info } = await joinSession(service, stranger, session, { byLink: true });
    expect(session_info.permissions).toEqual({ read: true, write: true, admin: false });
    expect((await onSessions(service, stranger, ['GET', path])).body).toMatchObject({ invite_link: null });
    // The session is all that they see.
    expect((await call('GET', `${service.url}/v1/projects/${projectId}`, { token: stranger.key })).status).toBe(404);
  });

  test('gives no more permissions than the project: a viewer can only read', async () => {
    const { session_info } = await joinSession(service, viewer, await start(), { byLink: true });
    expect(session_info.permissions).toEqual({ read: true, write: false, admin: false });
  });

  test('gives a guest no more permissions than the creator currently has', async () => {
    const creator = await service.createUser();
    const permissions = ['read', 'write', 'comment'] as const;
    const { id } = await createProject(service, owner);
    const row = await addCollaborator(service, id, creator, { role: 'editor', permissions: [...permissions] });
    const session = await startSession(service, creator, { workspace_id: id });
    await joinSession(service, stranger, session, { byLink: true });
    const guest = async () =>
      (await participantsOf(service, owner, session)).find(({ user_id }) => user_id === stranger.id)?.permissions;
    expect(await guest()).toMatchObject({ write: true });
    await onProject(service, owner, `${id}/collaborators/${row}`, ['PATCH', { role: 'viewer' }]);
    expect(await guest()).toMatchObject({ read: true, write: false });
    await onProject(service, owner, `${id}/collaborators/${row}`, ['DELETE']);
    expectError(await onSessions(service, stranger, ['GET', `/${idOf(session)}`]), unknown);
    expectError(await onSessions(service, creator, ['GET', `/${idOf(session)}`]), unknown);
  });

  test('is refused once all places are taken, even if two users join at once', async () => {
    const session = await start();
    await joinSession(service, editor, session);
    const others = await Promise.all([1, 2].map(() => service.createUser()));
    const json = { invite_token: inviteTokenOf(session) };
    const answers = await Promise.all(
      others.map((user) => onSessions(service, user, ['POST', `/${idOf(session)}/join`, json])),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('is no longer possible with a replaced link, only with the new link', async () => {
    const session = await start();
    expectError(await onSessions(service, editor, ['POST', `/${idOf(session)}/invite/rotate`]), {
      status: 403,
      code: 'AUTHORIZATION_ERROR',
    });
    const { body: rotated } = await onSessions<Session>(service, owner, ['POST', `/${idOf(session)}/invite/rotate`]);
    expect(rotated.invite_link).not.toBe(session.invite_link);
    const json = { invite_token: inviteTokenOf(session) };
    expectError(await onSessions(service, stranger, ['POST', `/${idOf(session)}/join`, json]), unknown);
    await joinSession(service, stranger, rotated, { byLink: true });
  });
});

describe('participants', () => {
  const change = (user: TestUser, session: Session, of: TestUser, json: unknown) =>
    onSessions(service, user, ['PUT', `/${idOf(session)}/participants/${of.id}`, json]);
  const remove = (user: TestUser, session: Session, of: TestUser) =>
    onSessions(service, user, ['DELETE', `/${idOf(session)}/participants/${of.id}`]);

  test('are changed by admins: a role stands for a set of permissions', async () => {
    const session = await start();
    await joinSession(service, editor, session);
    expectError(await change(editor, session, owner, { role: 'collaborator' }), {
      status: 403,
      code: 'AUTHORIZATION_ERROR',
    });
    const promoted = await change(owner, session, editor, { role: 'admin' });
    expect(promoted.body).toMatchObject({ role: 'admin', permissions: { read: true, write: true, admin: true } });
    const demoted = await change(owner, session, editor, { role: 'collaborator', permissions: { write: false } });
    expect(demoted.body).toMatchObject({ role: 'collaborator', permissions: { write: false, admin: false } });
    for (const json of [
      { permissions: { read: false } },
      { role: 'admin', permissions: { admin: false } },
      { role: 'x' },
    ]) {
      expect((await change(owner, session, editor, json)).status).toBe(422);
    }
    expectError(await change(owner, session, stranger, { role: 'admin' }), { status: 404, code: 'NOT_FOUND' });
  });

  test('cannot be given permissions that the giver or the project does not have', async () => {
    const session = await start(editor);
    await joinSession(service, viewer, session);
    expectError(await change(editor, session, viewer, { permissions: { write: true } }), {
      status: 403,
      code: 'AUTHORIZATION_ERROR',
    });
    // An admin of the session who may not write cannot let others write.
    expect((await change(editor, session, viewer, { role: 'admin' })).body).toMatchObject({
      permissions: { write: false, admin: true },
    });
    await joinSession(service, stranger, session, { byLink: true });
    await change(editor, session, stranger, { permissions: { write: false } });
    expectError(await change(viewer, session, stranger, { permissions: { write: true } }), {
      status: 403,
      code: 'AUTHORIZATION_ERROR',
    });
  });

  test('who manage the project stay admins, and only they can change the creator', async () => {
    const session = await start(editor);
    await joinSession(service, owner, session);
    await joinSession(service, stranger, session, { byLink: true });
    await change(editor, session, stranger, { role: 'admin' });
    for (const target of [owner, editor]) {
      expectError(await remove(stranger, session, target), { status: 403, code: 'AUTHORIZATION_ERROR' });
    }
    expect((await remove(owner, session, editor)).status).toBe(204);
  });

  test('who lost the project and rejoin by link have the permissions of all guests, not their former permissions', async () => {
    const former = await service.createUser();
    const rights = ['read', 'write', 'comment'] as const;
    const row = await addCollaborator(service, projectId, former, { role: 'editor', permissions: [...rights] });
    const session = await start(owner, { permissions: { write: false } });
    await joinSession(service, former, session);
    await change(owner, session, former, { role: 'admin' });
    await onProject(service, owner, `${projectId}/collaborators/${row}`, ['DELETE']);
    const { session_info } = await joinSession(service, former, session, { byLink: true });
    expect(session_info.permissions).toEqual({ read: true, write: false, admin: false });
  });

  describe('of a public project who are not its members', () => {
    const open = async (permissions = {}) => {
      const creator = await service.createUser();
      const { id } = await createProject(service, owner, { settings: { public: true } });
      const rights = ['read', 'write', 'comment'] as const;
      const row = await addCollaborator(service, id, creator, { role: 'editor', permissions: [...rights] });
      const session = await startSession(service, creator, { workspace_id: id, permissions });
      await joinSession(service, viewer, session, { byLink: true });
      return { creator, session, leave: () => onProject(service, owner, `${id}/collaborators/${row}`, ['DELETE']) };
    };
    const isNoAdmin = async (user: TestUser, session: Session) => {
      expect((await onSessions(service, user, ['GET', `/${idOf(session)}`])).body).toMatchObject({ invite_link: null });
      const refused = { status: 403, code: 'AUTHORIZATION_ERROR' } as const;
      expectError(await remove(user, session, viewer), refused);
      expectError(await onSessions(service, user, ['POST', `/${idOf(session)}/invite/rotate`]), refused);
      expectError(await onSessions(service, user, ['DELETE', `/${idOf(session)}`]), refused);
    };

    test('are not admins, even if they created the session as members, and even after rejoining by link', async () => {
      const { creator, session, leave } = await open();
      expect((await onSessions(service, creator, ['POST', `/${idOf(session)}/extend`])).status).toBe(200);
      await leave();
      await isNoAdmin(creator, session);
      await onSessions(service, creator, ['POST', `/${idOf(session)}/leave`]);
      await joinSession(service, creator, session, { byLink: true });
      await isNoAdmin(creator, session);
    });

    test('are readers if they join without the link, even in a session that makes everybody an admin', async () => {
      const { session } = await open({ admin: true });
      const { session_info } = await joinSession(service, stranger, session);
      expect(session_info.permissions).toEqual({ read: true, write: false, admin: false });
      await isNoAdmin(stranger, session);
    });
  });

  test('who were removed stay out until an admin readmits them', async () => {
    const session = await start();
    await joinSession(service, stranger, session, { byLink: true });
    expect((await remove(owner, session, stranger)).status).toBe(204);
    expect((await participantsOf(service, owner, session)).at(-1)).toMatchObject({ status: 'removed' });
    const json = { invite_token: inviteTokenOf(session) };
    const again = () => onSessions(service, stranger, ['POST', `/${idOf(session)}/join`, json]);
    expectError(await again(), { status: 403, code: 'AUTHORIZATION_ERROR' });
    await joinSession(service, editor, session);
    await remove(owner, session, editor);
    // A member still sees it, but is not in it.
    expect((await onSessions(service, editor, ['GET', `/${idOf(session)}`])).status).toBe(200);
    for (const path of ['join', 'ticket']) {
      const answer = await onSessions(service, editor, ['POST', `/${idOf(session)}/${path}`]);
      expectError(answer, { status: 403, code: 'AUTHORIZATION_ERROR' });
    }
    expect((await change(owner, session, stranger, {})).body).toMatchObject({ status: 'left' });
    expect((await again()).status).toBe(200);
  });

  test('who leave are no longer listed, and have their former permissions when they come back', async () => {
    const session = await start();
    await joinSession(service, editor, session);
    await change(owner, session, editor, { permissions: { write: false } });
    expect((await onSessions(service, editor, ['POST', `/${idOf(session)}/leave`])).status).toBe(204);
    expect((await participantsOf(service, owner, session)).map(({ user_id }) => user_id)).toEqual([owner.id]);
    const { session_info } = await joinSession(service, editor, session);
    expect(session_info.permissions).toMatchObject({ write: false });
  });

  test('are recorded in the audit log of the owner', async () => {
    const { rows } = await service.pool.query(
      "select distinct action from audit_log where account_id = $1 and action like 'session.%' order by 1",
      [owner.id],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      'session.created',
      'session.guest_joined',
      'session.invite_rotated',
      'session.participant_changed',
      'session.participant_removed',
    ]);
  });
});

describe('the end of a session', () => {
  test('is caused by an admin, and everything in the session is 404 afterwards', async () => {
    const session = await start();
    expectError(await onSessions(service, editor, ['DELETE', `/${idOf(session)}`]), {
      status: 403,
      code: 'AUTHORIZATION_ERROR',
    });
    expect((await onSessions(service, owner, ['DELETE', `/${idOf(session)}`])).status).toBe(204);
    expectError(await onSessions(service, owner, ['GET', `/${idOf(session)}`]), unknown);
    expectError(await onSessions(service, owner, ['POST', `/${idOf(session)}/join`, {}]), unknown);
  });

  test('comes at its expiry, unless the session is extended', async () => {
    const session = await start();
    await service.pool.query(
      "update collaboration_sessions set expires_at = now() + interval '1 minute' where id = $1",
      [idOf(session)],
    );
    const extend = (json: unknown) => onSessions<Session>(service, owner, ['POST', `/${idOf(session)}/extend`, json]);
    const { body } = await extend({ seconds: 600 });
    expect(Date.parse(body.expires_at) - Date.now()).toBeGreaterThan(590_000);
    const sooner = await extend({ seconds: 60 });
    expect(sooner.body.expires_at).toBe(body.expires_at);
    expect((await extend({ seconds: 28_801 })).status).toBe(422);
    await service.pool.query('update collaboration_sessions set expires_at = now() where id = $1', [idOf(session)]);
    expectError(await onSessions(service, owner, ['GET', `/${idOf(session)}`]), unknown);
    expectError(await extend({}), unknown);
  });

  test.each([
    ['collaboration is switched off', { settings: { collaboration_enabled: false } }, 'collaboration_disabled', 403],
    ['the project is archived', { status: 'archived' }, 'project_archived', 404],
  ])('comes when %s', async (_what, patch, reason, status) => {
    const session = await startSession(service, owner);
    await onProject(service, owner, session.workspace_id, ['PATCH', patch]);
    const { rows } = await service.pool.query('select end_reason from collaboration_sessions where id = $1', [
      idOf(session),
    ]);
    expect(rows).toEqual([{ end_reason: reason }]);
    expect((await onSessions(service, owner, ['GET', `/${idOf(session)}`])).status).toBe(status);
    expectError(await onSessions(service, stranger, ['GET', `/${idOf(session)}`]), unknown);
  });
});

test("the list has one's own sessions and those of one's projects, the newest first", async () => {
  const { id } = await createProject(service, owner);
  const [one, two] = [await start(owner, { workspace_id: id }), await start(owner, { workspace_id: id })];
  const list = async (user: TestUser, query = `?workspace_id=${id}`) =>
    (await onSessions<{ sessions: Session[]; total: number }>(service, user, ['GET', query])).body;
  expect(await list(owner)).toEqual({ sessions: [two, one], total: 2 });
  expect(await list(owner, `?workspace_id=${id}&limit=1&offset=1`)).toEqual({ sessions: [one], total: 2 });
  expect(await list(stranger)).toEqual({ sessions: [], total: 0 });
  await joinSession(service, stranger, one, { byLink: true });
  expect(await list(stranger)).toMatchObject({
    sessions: [{ session_id: one.session_id, invite_link: null }],
    total: 1,
  });
  await onSessions(service, owner, ['DELETE', `/${idOf(two)}`]);
  expect((await list(owner)).total).toBe(1);
});
