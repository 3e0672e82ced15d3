import type { Notification } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { transaction } from '../foundation/db/index.ts';
import { causeOfRun } from '../foundation/http/index.ts';
import { expectError } from '../testing/clients/expect-error.ts';
import { call } from '../testing/clients/http-client.ts';
import { goodClaims, signJwt } from '../testing/clients/service-jwt.ts';
import { ask, expire, invite } from '../testing/samples/sample-collaborators.ts';
import { buildSettings, deployed, projectOf, waitingDeployment } from '../testing/samples/sample-deployments.ts';
import { inProject } from '../testing/samples/sample-files.ts';
import { addCollaborator, createProject } from '../testing/samples/sample-projects.ts';
import { startSession } from '../testing/samples/sample-sessions.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';
import { subscribe } from '../webhooks/subscription.fixture.ts';
import { switchOff } from '../webhooks/subscriptions/notices.ts';
import { notify } from './index.ts';
import { deleteBeyond, deleteOlderThan } from './notifications.sql.ts';

const service = useTestService({ settings: buildSettings });
const silent = { isSetUp: false, send: async () => undefined, deliver: async () => undefined };

type List = { data: Notification[]; pagination: { total: number }; unread: number };
async function listOf(user: Pick<TestUser, 'key'>, query = ''): Promise<List> {
  const answer = await ask<List>(service, user, ['GET', `/notifications${query}`]);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}
const typesOf = async (user: TestUser) => (await listOf(user)).data.map(({ type }) => type);
const markRead = (user: Pick<TestUser, 'key'>, json: unknown) =>
  ask<{ unread: number }>(service, user, ['POST', '/notifications/read', json]);

let owner: TestUser;
let member: TestUser;
let projectId: string;
beforeAll(async () => {
  [owner, member] = [await service.createUser({ name: 'Owner' }), await service.createUser({ name: 'Member' })];
  projectId = (await createProject(service, owner, { name: 'Loom' })).id;
  await addCollaborator(service, projectId, member, { role: 'editor' });
});

const sessionStarted = (to: string[], number = 1) =>
  transaction(service.db, (trx) => {
    const data = { session_id: 'ses_x', session_name: `Number ${number}` };
    return notify(trx, { type: 'session_started', to, projectId, actorId: owner.id, data }, causeOfRun(owner.id));
  });

/** Returns the token of a service account of one project. */
async function robotOf(user: TestUser, project: string): Promise<string> {
  const json = { name: project, projects: [project], scopes: ['read:collaboration'] };
  const { body } = await ask<{ id: string }>(service, user, ['POST', '/user/service-accounts', json]);
  const issuer = await service.registerIssuer(user.id, `robot of ${project}`);
  const claims = goodClaims({ issuer: `robot of ${project}`, userId: body.id, audience: service.url });
  return signJwt({ secret: issuer.secret, claims, header: { kid: issuer.kid } });
}

describe('a user is notified of', () => {
  test('a session that somebody else began in one of their projects, with the name of that person', async () => {
    const session = await startSession(service, owner, { workspace_id: projectId, name: 'Together' });
    const { data, unread } = await listOf(member);
    expect(unread).toBe(1);
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^ntf_[0-9a-z]{26}$/),
        type: 'session_started',
        project: { id: projectId, name: 'Loom' },
        actor: { id: owner.id, name: 'Owner', username: owner.username, avatar_url: expect.any(String) },
        data: { session_id: session.session_id, session_name: 'Together' },
        created_at: expect.any(String),
        read_at: null,
      },
    ]);
    expect(await typesOf(owner)).toEqual([]);
  });

  test('an invitation, until it is declined, withdrawn or expired', async () => {
    const guest = await service.createUser();
    const { id } = await invite(service, owner, projectId, { email: guest.email, role: 'viewer' });
    expect((await listOf(guest)).data).toMatchObject([
      { type: 'invitation', project: { name: 'Loom' }, actor: { name: 'Owner' }, data: { invitation_id: id } },
    ]);
    await expire(service, id);
    expect(await listOf(guest)).toMatchObject({ data: [], unread: 0 });
    await ask(service, owner, ['DELETE', `/projects/${projectId}/collaborators/${id}`]);
    expect(await typesOf(guest)).toEqual([]);
  });

  test('a failed deployment that they started or whose project they own, but not of a canceled one', async () => {
    const editor = await service.createUser();
    const site = await projectOf(service, { 'index.html': 'x' }, owner);
    await addCollaborator(service, site.projectId, editor, { role: 'editor' });
    const canceled = await waitingDeployment(site, 'staging');
    await inProject(site, 'POST', `/deployments/${canceled.id}/cancel`);
    await service.db.deleteFrom('deployments').where('worker_id', '=', 'nobody').execute();
    const { id } = await deployed({ ...site, user: editor }, { build_command: 'exit 7' });
    for (const user of [editor, owner]) {
      expect((await listOf(user)).data).toMatchObject([
        { type: 'deployment_failed', data: { deployment_id: id, environment: 'production' } },
      ]);
    }
  });

  test('a webhook that was switched off', async () => {
    const user = await service.createUser();
    const id = await subscribe(service, { ownerId: user.id, url: 'http://127.0.0.1:1/' });
    await switchOff(service.db, silent, id, 'gone');
    await switchOff(service.db, silent, id, 'gone');
    expect((await listOf(user)).data).toMatchObject([
      {
        type: 'webhook_disabled',
        data: {
          ...{ webhook_id: id, reason: 'The endpoint responded with 410 Gone' },
          ...{ reason_code: 'endpoint_gone', reason_values: {} },
        },
      },
    ]);
  });
});

describe('notifications', () => {
  test('are marked as read by id or all at once, only by their own user, and counted', async () => {
    const [reader, other] = [await service.createUser(), await service.createUser()];
    for (const user of [reader, other]) await addCollaborator(service, projectId, user, { role: 'viewer' });
    for (const number of [1, 2, 3]) await sessionStarted([reader.id, other.id], number);
    const { data } = await listOf(reader);
    const [newest] = data;
    expect(newest?.data).toEqual({ session_id: 'ses_x', session_name: 'Number 3' });
    expect((await markRead(other, { ids: [newest?.id] })).body).toEqual({ unread: 3 });
    expect((await markRead(reader, { ids: [newest?.id, 'ntf_nothing'] })).body).toEqual({ unread: 2 });
    expect(await listOf(reader, '?unread=true&limit=1')).toMatchObject({ pagination: { total: 2 }, unread: 2 });
    expect((await markRead(reader, { all: true })).body).toEqual({ unread: 0 });
    expect((await listOf(reader)).data.every(({ read_at }) => read_at !== null)).toBe(true);
    expect((await listOf(other)).unread).toBe(3);
    for (const json of [{}, { ids: [] }, { all: false }, { ids: ['x'], all: true }]) {
      expectError(await markRead(reader, json), { status: 422, code: 'VALIDATION_ERROR' });
    }
  });

  test('of a project disappear with the right to it, and return with it', async () => {
    const user = await service.createUser();
    await addCollaborator(service, projectId, user, { role: 'viewer' });
    await sessionStarted([user.id]);
    expect((await listOf(user)).unread).toBe(1);
    await service.db.deleteFrom('collaborators').where('user_id', '=', user.id).execute();
    expect(await listOf(user)).toMatchObject({ data: [], unread: 0, pagination: { total: 0 } });
    await addCollaborator(service, projectId, user, { role: 'viewer' });
    expect((await listOf(user)).unread).toBe(1);
  });

  test('are limited to the scopes of a credential, and for a service account to its projects', async () => {
    const user = await service.createUser();
    await addCollaborator(service, projectId, user, { role: 'viewer' });
    await sessionStarted([user.id]);
    const narrow = await service.createKey(user.id, { scopes: ['read:deployments'] });
    expect(await listOf(narrow)).toMatchObject({ data: [], unread: 0 });
    const wide = await service.createKey(user.id, { scopes: ['read:collaboration'] });
    expect((await listOf(wide)).unread).toBe(1);
    expectError(await markRead(wide, { all: true }), { status: 403, code: 'AUTHORIZATION_ERROR' });
    expect((await listOf({ key: await robotOf(user, projectId) })).unread).toBe(1);
    const elsewhere = await createProject(service, user);
    expect((await listOf({ key: await robotOf(user, elsewhere.id) })).unread).toBe(0);
  });

  test('are also events of their user, without their content', async () => {
    const user = await service.createUser();
    await addCollaborator(service, projectId, user, { role: 'viewer' });
    await sessionStarted([user.id]);
    const url = `${service.url}/v1/events?types=notification.created&format=reference`;
    const { body } = await call<{ data: { data: object }[] }>('GET', url, { token: user.key });
    const [{ id } = { id: '' }] = (await listOf(user)).data;
    expect(body.data.map(({ data }) => data)).toEqual([
      { notification_id: id, user_id: user.id, notification_type: 'session_started', created_at: expect.any(String) },
    ]);
  });

  test('are kept for a limited time and up to a limited number per user', async () => {
    const user = await service.createUser();
    await addCollaborator(service, projectId, user, { role: 'viewer' });
    for (const number of [1, 2, 3, 4]) await sessionStarted([user.id], number);
    await deleteBeyond(service.db, 2);
    const left = (await listOf(user)).data.map(({ data }) => data);
    expect(left).toMatchObject([{ session_name: 'Number 4' }, { session_name: 'Number 3' }]);
    const longAgo = new Date(Date.now() - 91 * 86_400_000);
    await service.db.updateTable('notifications').set({ created_at: longAgo }).where('user_id', '=', user.id).execute();
    await deleteOlderThan(service.db, 90);
    expect((await listOf(user)).data).toEqual([]);
  });
});
