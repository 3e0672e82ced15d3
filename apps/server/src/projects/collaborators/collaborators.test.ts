import type { Collaborator, SentInvitation } from '@bottega/contract';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { conflicting, expectError, invalid, missing, refused } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { ask, eventsOf, expire, invite, join, listCollaborators } from '../../testing/samples/sample-collaborators.ts';
import { createProject, listProjects, onProject, readProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({ role: 'api' });

let owner: TestUser;
beforeAll(async () => {
  owner = await service.createUser({ name: 'Owner' });
});

let ada: TestUser;
let projectId: string;
let collaborators: string;
beforeEach(async () => {
  ada = await service.createUser({ name: 'Ada' });
  projectId = (await createProject(service, owner, { name: 'Loom' })).id;
  collaborators = `/projects/${projectId}/collaborators`;
});

const project = () => ({ owner, projectId });
const stored = () =>
  service.db.selectFrom('collaborators').selectAll().where('project_id', '=', projectId).orderBy('id').execute();
const count = async () => (await listProjects(service, owner)).data.find(({ id }) => id === projectId)?.stats;

describe('an invitation', () => {
  test('is the complete record of a pending collaborator, with its expiry', async () => {
    const sent = await invite(service, owner, projectId, { email: ada.email, role: 'editor', message: 'Come!\nSoon.' });
    expect(sent).toEqual({
      id: expect.stringMatching(/^col_/),
      user: { id: null, name: null, username: null, email: ada.email, avatar_url: null },
      role: 'editor',
      permissions: ['read', 'write', 'comment'],
      invited_by: owner.id,
      invited_at: expect.stringMatching(/Z$/),
      joined_at: null,
      status: 'pending',
      expires_at: expect.stringMatching(/Z$/),
      message: 'Come!\nSoon.',
      invitation_url: expect.stringMatching(/\/invitations\/[\w-]{43}$/),
    });
    const days = (Date.parse(sent.expires_at ?? '') - Date.parse(sent.invited_at)) / 86_400_000;
    expect(days).toBeCloseTo(7, 2);
    expect(await stored()).toMatchObject([{ id: sent.id, user_id: ada.id, status: 'pending', invited_by: owner.id }]);
  });

  test('to an address without an account contains only the address', async () => {
    const { user, role, permissions } = await invite(service, owner, projectId, { email: ' New.One@Example.com ' });
    expect(user).toEqual({ id: null, name: null, username: null, email: 'new.one@example.com', avatar_url: null });
    expect([role, permissions]).toEqual(['viewer', ['read', 'comment']]);
  });

  test('grants no rights, and adds nothing to lists and counts until it is accepted', async () => {
    const { id } = await invite(service, owner, projectId, { email: ada.email, role: 'admin' });
    for (const [method, path] of [
      ['GET', `/projects/${projectId}`],
      ['GET', collaborators],
      ['DELETE', `${collaborators}/${id}`],
      ['PATCH', `${collaborators}/${id}`],
    ] as const) {
      expectError(await ask(service, ada, [method, path, method === 'PATCH' ? {} : undefined]), missing);
    }
    expect((await listProjects(service, ada)).data).toEqual([]);
    expect(await count()).toMatchObject({ collaborators_count: 0 });
    expect((await readProject(service, owner, projectId)).collaborators).toEqual([]);
  });

  test('to an address that is already pending or joined is a 409, in upper or lower case', async () => {
    await invite(service, owner, projectId, { email: ada.email });
    await invite(service, owner, projectId, { email: 'nobody@example.org' });
    for (const email of [ada.email, ada.email.toUpperCase(), 'Nobody@example.org']) {
      expectError(await ask(service, owner, ['POST', collaborators, { email }]), conflicting);
    }
    const other = await service.createUser();
    await join(service, project(), other);
    expectError(await ask(service, owner, ['POST', collaborators, { email: other.email }]), conflicting);
    expect(await stored()).toHaveLength(3);
  });

  test('to the owner is a 422, even from another manager', async () => {
    await join(service, project(), ada, { role: 'admin' });
    for (const user of [owner, ada]) {
      const answer = await ask(service, user, ['POST', collaborators, { email: owner.email.toUpperCase() }]);
      expectError(answer, { ...invalid, field: 'email' });
    }
  });

  test.each<[string, Record<string, unknown>]>([
    ['email', {}],
    ['email', { email: 'no address' }],
    ['email', { email: 'a@b@c' }],
    ['email', { email: `${'x'.repeat(250)}@example.com` }],
    ['email', { email: 'a\u0000b@example.com' }],
    ['email', { email: null }],
    ['role', { email: 'x@example.com', role: 'owner' }],
    ['role', { email: 'x@example.com', role: null }],
    ['permissions', { email: 'x@example.com', permissions: [] }],
    ['permissions', { email: 'x@example.com', permissions: ['write'] }],
    ['permissions', { email: 'x@example.com', permissions: ['read', 'read'] }],
    ['permissions.0', { email: 'x@example.com', permissions: ['own'] }],
    ['permissions', { email: 'x@example.com', permissions: 'read' }],
    ['message', { email: 'x@example.com', message: 'a\u0000b' }],
    ['message', { email: 'x@example.com', message: 'x'.repeat(2001) }],
    ['status', { email: 'x@example.com', status: 'active' }],
  ])('with a bad %s is a 422 on that field: %j', async (field, json) => {
    expectError(await ask(service, owner, ['POST', collaborators, json]), { ...invalid, field });
    expect(await stored()).toEqual([]);
  });

  test('sent twice with the same Idempotency-Key is created once and gets the same answer', async () => {
    const send = () =>
      call<SentInvitation>('POST', `${service.url}/v1${collaborators}`, {
        token: owner.key,
        json: { email: ada.email },
        headers: { 'idempotency-key': 'one' },
      });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(await eventsOf(service, projectId, 'collaboration.invited')).toHaveLength(1);
  });

  test('is shown as expired after its time, and its address may be invited again', async () => {
    const first = await invite(service, owner, projectId, { email: ada.email, role: 'admin' });
    await expire(service, first.id);
    expect(await listCollaborators(service, owner, projectId)).toMatchObject([{ id: first.id, status: 'expired' }]);
    const second = await invite(service, owner, projectId, { email: ada.email });
    expect(second.id).not.toBe(first.id);
    expect(await stored()).toMatchObject([{ id: second.id, role: 'viewer' }]);
  });

  test('can be withdrawn by anyone who manages the project, and leaves nothing behind', async () => {
    await join(service, project(), ada, { role: 'admin' });
    const { id } = await invite(service, owner, projectId, { email: 'x@example.com', role: 'admin' });
    expect((await ask(service, ada, ['DELETE', `${collaborators}/${id}`])).status).toBe(204);
    expect(await stored()).toHaveLength(1);
    expect(await eventsOf(service, projectId, 'collaboration.left')).toEqual([]);
    expectError(await ask(service, ada, ['DELETE', `${collaborators}/${id}`]), missing);
  });
});

describe('the list of collaborators', () => {
  test('has everyone in the order of invitation; members without manage see only those who have joined', async () => {
    const viewer = await service.createUser();
    await join(service, project(), ada, { role: 'admin' });
    await join(service, project(), viewer);
    await invite(service, owner, projectId, { email: 'hidden@example.com' });
    const addresses = async (user: TestUser) =>
      (await listCollaborators(service, user, projectId)).map(({ user: { email } }) => email);
    expect(await addresses(owner)).toEqual([ada.email, viewer.email, 'hidden@example.com']);
    expect(await addresses(ada)).toEqual([ada.email, viewer.email, 'hidden@example.com']);
    expect(await addresses(viewer)).toEqual([ada.email, viewer.email]);
    await onProject(service, owner, projectId, ['PATCH', { settings: { public: true } }]);
    // A reader of a public project sees who they are, but not their addresses.
    expect(await addresses(await service.createUser())).toEqual(['', '']);
  });

  test('of a hidden, deleted or impossible project is a 404', async () => {
    expectError(await ask(service, ada, ['GET', collaborators]), missing);
    expectError(await ask(service, ada, ['GET', '/projects/%00/collaborators']), missing);
    await onProject(service, owner, projectId, ['DELETE']);
    expectError(await ask(service, owner, ['GET', collaborators]), missing);
  });
});

describe('a change of a collaborator', () => {
  const change = (user: TestUser, id: string, json: unknown) =>
    ask<Collaborator>(service, user, ['PATCH', `${collaborators}/${id}`, json]);

  test('sets the permissions of a new role, or permissions alone; null resets them to those of the role', async () => {
    const { id } = await join(service, project(), ada);
    const rights = async (json: unknown) => {
      const { body } = await change(owner, id, json);
      return [body.role, body.permissions];
    };
    expect(await rights({ role: 'editor' })).toEqual(['editor', ['read', 'write', 'comment']]);
    expect(await rights({ permissions: ['write', 'read'] })).toEqual(['editor', ['read', 'write']]);
    expect(await rights({})).toEqual(['editor', ['read', 'write']]);
    expect(await rights({ role: 'viewer', permissions: ['read', 'manage'] })).toEqual(['viewer', ['read', 'manage']]);
    expect(await rights({ permissions: null })).toEqual(['viewer', ['read', 'comment']]);
    expect(await rights({ role: 'admin' })).toEqual(['admin', ['read', 'write', 'comment', 'manage']]);
    expect(await stored()).toMatchObject([{ role: 'admin', permissions: ['read', 'write', 'comment', 'manage'] }]);
  });

  test('applies from the next request on: a viewer who is given write may write, and may not after losing it', async () => {
    const { id } = await join(service, project(), ada);
    const write = () => ask(service, ada, ['PUT', `/projects/${projectId}/files`, { path: '/a', content: 'x' }]);
    expectError(await write(), refused);
    await change(owner, id, { permissions: ['read', 'write'] });
    expect((await write()).status).toBe(201);
    await change(owner, id, { permissions: ['read'] });
    expectError(await write(), refused);
  });

  test('to an invitation changes what will be accepted', async () => {
    const { id } = await invite(service, owner, projectId, { email: ada.email });
    expect((await change(owner, id, { role: 'editor' })).body).toMatchObject({ status: 'pending', role: 'editor' });
    await ask(service, ada, ['POST', `${collaborators}/${id}/accept`]);
    expect(await listCollaborators(service, ada, projectId)).toMatchObject([{ role: 'editor', status: 'active' }]);
  });

  test('accepts the record as it was read, and refuses any other field', async () => {
    const record = await join(service, project(), ada);
    expect((await change(owner, record.id, record)).body).toEqual(record);
    for (const [field, json] of [
      ['role', { role: 'boss' }],
      ['permissions.1', { permissions: ['read', 'own'] }],
      ['permissions', { permissions: ['manage'] }],
      ['email', { email: 'other@example.com' }],
    ] as const) {
      expectError(await change(owner, record.id, json), { ...invalid, field });
    }
  });

  test('with an unknown id, or an id from another project, is a 404', async () => {
    const elsewhere = await createProject(service, owner);
    const { id } = await invite(service, owner, elsewhere.id, { email: ada.email });
    for (const unknown of [id, 'col_00000000000000000000000000', '%00', 'x']) {
      expectError(await change(owner, unknown, {}), missing);
      expectError(await ask(service, owner, ['DELETE', `${collaborators}/${unknown}`]), missing);
    }
  });
});
