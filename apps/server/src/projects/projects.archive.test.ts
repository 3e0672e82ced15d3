import { describe, expect, test } from 'vitest';
import { expectError } from '../testing/clients/expect-error.ts';
import { call } from '../testing/clients/http-client.ts';
import {
  addCollaborator,
  createProject,
  listProjects,
  onProject,
  readProject,
} from '../testing/samples/sample-projects.ts';
import { useTestService } from '../testing/service/test-service.ts';

const service = useTestService({ role: 'api' });
const conflict = { status: 409, code: 'CONFLICT' } as const;

async function archivedProject() {
  const user = await service.createUser();
  const { id } = await createProject(service, user, { name: 'Old', repository: { url: 'https://git.example.com/x' } });
  const { status, body } = await onProject(service, user, id, ['PATCH', { status: 'archived' }]);
  expect(status).toBe(200);
  return { user, project: body };
}

describe('the status of a project', () => {
  test.each(['PATCH', 'PUT'])('can be changed in both directions by %s', async (method) => {
    const user = await service.createUser();
    const { id } = await createProject(service, user, { name: 'x' });
    for (const status of ['archived', 'active']) {
      const answer = await onProject(service, user, id, [method, { name: 'x', status }]);
      expect(answer).toMatchObject({ status: 200, body: { status } });
      expect((await listProjects(service, user, `?status=${status}`)).data.map((one) => one.id)).toEqual([id]);
    }
  });

  test('stays the same if an active project is set to active', async () => {
    const user = await service.createUser();
    const project = await createProject(service, user);
    const answer = await onProject(service, user, project.id, ['PATCH', { status: 'active' }]);
    expect(answer).toMatchObject({ status: 200, body: project });
  });

  test('may be sent with other changes, which also take effect', async () => {
    const user = await service.createUser();
    const { id } = await createProject(service, user);
    const away = await onProject(service, user, id, ['PATCH', { name: 'Last words', status: 'archived' }]);
    expect(away).toMatchObject({ status: 200, body: { name: 'Last words', status: 'archived' } });
    const back = await onProject(service, user, id, ['PATCH', { name: 'Back', status: 'active' }]);
    expect(back).toMatchObject({ status: 200, body: { name: 'Back', status: 'active' } });
  });
});

describe('an archived project', () => {
  test.each<[string, unknown]>([
    ['PATCH', { name: 'x' }],
    ['PATCH', { description: 'x' }],
    ['PATCH', { settings: { public: true } }],
    ['PATCH', { repository: null }],
    ['PATCH', { status: 'archived' }],
    ['PATCH', {}],
    ['PUT', { name: 'x' }],
    ['PUT', { name: 'Old' }],
    ['PUT', { name: 'x', status: 'archived' }],
  ])('refuses %s %j with 409 and stays unchanged', async (method, json) => {
    const { user, project } = await archivedProject();
    expectError(await onProject(service, user, project.id, [method, json]), conflict);
    expect(await readProject(service, user, project.id)).toEqual({ ...project, collaborators: [], live_url: null });
  });

  test('refuses its own answer sent back, even though this would change nothing', async () => {
    const { user, project } = await archivedProject();
    expectError(await onProject(service, user, project.id, ['PUT', project]), conflict);
  });

  test('refuses a restore, since it is not deleted', async () => {
    const { user, project } = await archivedProject();
    expectError(await call('POST', `${service.url}/v1/projects/${project.id}/restore`, { token: user.key }), conflict);
  });

  test('can be read and listed', async () => {
    const { user, project } = await archivedProject();
    expect((await readProject(service, user, project.id)).status).toBe('archived');
    expect((await listProjects(service, user)).data[0]?.id).toBe(project.id);
  });

  test('can be deleted, and is archived again when it is restored', async () => {
    const { user, project } = await archivedProject();
    expect((await onProject(service, user, project.id, ['DELETE'])).status).toBe(200);
    const restored = await call('POST', `${service.url}/v1/projects/${project.id}/restore`, { token: user.key });
    expect(restored).toMatchObject({ status: 200, body: { status: 'archived' } });
    expect((await listProjects(service, user, '?status=archived')).pagination.total).toBe(1);
  });

  test('answers with 403, not 409, if the caller may not change it anyway', async () => {
    const { project } = await archivedProject();
    const viewer = await service.createUser();
    await addCollaborator(service, project.id, viewer, { role: 'viewer' });
    const answer = await onProject(service, viewer, project.id, ['PATCH', { name: 'x' }]);
    expectError(answer, { status: 403, code: 'AUTHORIZATION_ERROR' });
  });

  test('cannot be reactivated by an editor, who may not manage it', async () => {
    const { project } = await archivedProject();
    const editor = await service.createUser();
    await addCollaborator(service, project.id, editor, { role: 'editor' });
    expectError(await onProject(service, editor, project.id, ['PATCH', { name: 'x' }]), conflict);
    const answer = await onProject(service, editor, project.id, ['PATCH', { status: 'active' }]);
    expectError(answer, { status: 403, code: 'AUTHORIZATION_ERROR' });
  });
});
