import { describe, expect, test } from 'vitest';
import type { Permission } from '../foundation/db/schema.ts';
import { expectError, messageOf } from '../testing/clients/expect-error.ts';
import { call } from '../testing/clients/http-client.ts';
import { addCollaborator, createProject, onProject, readProject } from '../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';

const service = useTestService({ role: 'api' });

const forbidden = { status: 403, code: 'AUTHORIZATION_ERROR' } as const;
const hidden = { status: 404, code: 'NOT_FOUND' } as const;
const unknownId = 'prj_00000000000000000000000000';

type Request = [method: string, json?: unknown];

/** Every change that the routes of a project offer, each to a new value. */
const changes: [string, Request][] = [
  ['PUT', ['PUT', { name: 'Taken over' }]],
  ['PATCH of the name', ['PATCH', { name: 'Taken over' }]],
  ['PATCH of the settings', ['PATCH', { settings: { auto_save: false } }]],
  ['PATCH of the status', ['PATCH', { status: 'archived' }]],
  ['PATCH of the repository', ['PATCH', { repository: { url: 'https://git.example.com/x' } }]],
  ['PATCH that changes nothing', ['PATCH', {}]],
  ['DELETE', ['DELETE']],
];
const read: [string, Request] = ['GET', ['GET']];

const restore = (user: TestUser, id: string) =>
  call('POST', `${service.url}/v1/projects/${id}/restore`, { token: user.key });

async function someProject(settings: Record<string, boolean> = {}) {
  const [owner, other] = [await service.createUser(), await service.createUser()];
  const project = await createProject(service, owner, { settings });
  return { owner, other, project };
}

async function projectWith(membership: Parameters<typeof addCollaborator>[3], settings: Record<string, boolean> = {}) {
  const { owner, other: member, project } = await someProject(settings);
  await addCollaborator(service, project.id, member, membership);
  return { owner, member, project };
}

describe('for a stranger, a private project does not exist:', () => {
  test.each([read, ...changes])('%s answers as for an unknown id', async (_what, request) => {
    const { owner, other, project } = await someProject();
    const answer = await onProject(service, other, project.id, request);
    expectError(answer, hidden);
    expect(messageOf(answer)).toBe(messageOf(await onProject(service, other, unknownId, request)));
    expect(await readProject(service, owner, project.id)).toEqual({ ...project, collaborators: [], live_url: null });
  });

  test('restore is a 404', async () => {
    const { other, project } = await someProject();
    expectError(await restore(other, project.id), hidden);
  });

  test('somebody invited who has not accepted gets the same answers', async () => {
    const { member, project } = await projectWith({ role: 'admin', status: 'pending' });
    for (const [, request] of [read, ...changes]) {
      expectError(await onProject(service, member, project.id, request), hidden);
    }
  });
});

describe('a public project', () => {
  test('can be read by any signed-in user, without the addresses and usernames of its people', async () => {
    const { other, project } = await someProject({ public: true });
    const owner = { ...project.owner, username: '', email: '' };
    expect(await readProject(service, other, project.id)).toEqual({
      ...project,
      owner,
      collaborators: [],
      live_url: null,
    });
  });

  test.each(changes)('refuses a stranger with 403: %s', async (_what, request) => {
    const { owner, other, project } = await someProject({ public: true });
    expectError(await onProject(service, other, project.id, request), forbidden);
    expect(await readProject(service, owner, project.id)).toEqual({ ...project, collaborators: [], live_url: null });
  });

  test('refuses a stranger with 403: restore', async () => {
    const { other, project } = await someProject({ public: true });
    expectError(await restore(other, project.id), forbidden);
  });

  test('is a 401 for callers who are not signed in', async () => {
    const { project } = await someProject({ public: true });
    const answer = await call('GET', `${service.url}/v1/projects/${project.id}`);
    expectError(answer, { status: 401, code: 'AUTHENTICATION_ERROR' });
  });

  test('can be read by a collaborator whose permissions were reduced to none', async () => {
    const { member, project } = await projectWith({ permissions: [] }, { public: true });
    expect((await readProject(service, member, project.id)).id).toBe(project.id);
    expectError(await onProject(service, member, project.id, ['PATCH', { name: 'x' }]), forbidden);
  });

  test('is hidden again as soon as it becomes private', async () => {
    const { owner, other, project } = await someProject({ public: true });
    await onProject(service, owner, project.id, ['PATCH', { settings: { public: false } }]);
    expectError(await onProject(service, other, project.id, ['GET']), hidden);
  });
});

describe('the roles of a project', () => {
  test.each(changes)('a viewer can read but is refused with 403: %s', async (_what, request) => {
    const { owner, member, project } = await projectWith({ role: 'viewer' });
    expect((await readProject(service, member, project.id)).name).toBe('Sample');
    expectError(await onProject(service, member, project.id, request), forbidden);
    expect(await readProject(service, owner, project.id)).toMatchObject(project);
  });

  test('an editor changes name and description by PATCH and by PUT', async () => {
    const { owner, member, project } = await projectWith({ role: 'editor' });
    const patched = await onProject(service, member, project.id, ['PATCH', { name: 'By the editor' }]);
    expect(patched).toMatchObject({ status: 200, body: { name: 'By the editor', owner: { id: owner.id } } });
    const put = await onProject(service, member, project.id, ['PUT', { name: 'Again', description: 'new' }]);
    expect(put).toMatchObject({ status: 200, body: { name: 'Again', description: 'new' } });
  });

  test.each([
    ['settings', { settings: { public: true } }],
    ['status', { status: 'archived' }],
    ['repository', { repository: { url: 'https://git.example.com/x' } }],
    ['settings beside a name', { name: 'x', settings: { auto_save: false } }],
  ])('an editor may not change %s, and nothing in the request takes effect', async (_what, json) => {
    const { owner, member, project } = await projectWith({ role: 'editor' });
    expectError(await onProject(service, member, project.id, ['PATCH', json]), forbidden);
    expect(await readProject(service, owner, project.id)).toMatchObject(project);
  });

  test('an editor may not reset settings to their defaults by leaving them out of a PUT', async () => {
    const { member, project } = await projectWith({ role: 'editor' }, { auto_save: false });
    expectError(await onProject(service, member, project.id, ['PUT', { name: 'x' }]), forbidden);
    const kept = await onProject(service, member, project.id, ['PUT', { name: 'x', settings: { auto_save: false } }]);
    expect(kept).toMatchObject({ status: 200, body: { name: 'x', settings: { auto_save: false } } });
  });

  test('an editor can send a whole answer back with another name', async () => {
    const { member, project } = await projectWith({ role: 'editor' }, { version_control: false });
    const answer = await readProject(service, member, project.id);
    const put = await onProject(service, member, project.id, ['PUT', { ...answer, name: 'Renamed' }]);
    expect(put).toMatchObject({ status: 200, body: { name: 'Renamed', settings: answer.settings } });
  });

  test('an admin changes everything', async () => {
    const { member, project } = await projectWith({ role: 'admin' });
    const json = {
      name: 'Managed',
      settings: { auto_save: false },
      repository: { url: 'https://git.example.com/x' },
      status: 'archived',
    };
    const answer = await onProject(service, member, project.id, ['PATCH', json]);
    expect(answer).toMatchObject({ status: 200, body: { name: 'Managed', status: 'archived' } });
    const back = await onProject(service, member, project.id, ['PATCH', { status: 'active' }]);
    expect(back).toMatchObject({ status: 200, body: { status: 'active' } });
  });

  test('only the owner can delete: an admin is refused', async () => {
    const { owner, member, project } = await projectWith({ role: 'admin' });
    expectError(await onProject(service, member, project.id, ['DELETE']), forbidden);
    expect((await onProject(service, owner, project.id, ['DELETE'])).status).toBe(200);
  });

  test('only the owner can restore: for an admin, a deleted project does not exist', async () => {
    const { owner, member, project } = await projectWith({ role: 'admin' });
    expectError(await restore(member, project.id), forbidden);
    await onProject(service, owner, project.id, ['DELETE']);
    expectError(await restore(member, project.id), hidden);
  });
});

describe('permissions restrict or extend a role:', () => {
  const cases: [string, Permission[], Request, number][] = [
    ['a viewer with write renames', ['read', 'write'], ['PATCH', { name: 'x' }], 200],
    ['a viewer with manage changes settings', ['read', 'manage'], ['PATCH', { settings: { public: true } }], 200],
    ['manage without write does not rename', ['read', 'manage'], ['PATCH', { name: 'x' }], 403],
    ['without read there is nothing to see', ['comment'], ['GET'], 404],
    ['without read there is nothing to change', ['write', 'manage'], ['PATCH', { name: 'x' }], 404],
  ];
  test.each(cases)('%s', async (_what, permissions, request, status) => {
    const { member, project } = await projectWith({ role: 'viewer', permissions });
    expect((await onProject(service, member, project.id, request)).status).toBe(status);
  });
});
