import type { Project, TrashedProject } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { expectError } from '../testing/clients/expect-error.ts';
import { call } from '../testing/clients/http-client.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { addCollaborator, createProject, onProject } from '../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';

const service = useTestService({ settings: { BOTTEGA_PROJECT_LIMIT_FREE: '3' } });

type Trash = { data: TrashedProject[]; pagination: { total: number } };

async function trashOf(user: TestUser, query = ''): Promise<Trash> {
  const { status, body } = await call<Trash>('GET', `${service.url}/v1/user/trash${query}`, { token: user.key });
  expect(status).toBe(200);
  return body;
}

const remove = (user: TestUser, id: string) => onProject(service, user, id, ['DELETE']);
const restore = (user: TestUser, id: string) => onProject<Project>(service, user, `${id}/restore`, ['POST']);
const purge = (user: TestUser, id: string, name: string) => onProject(service, user, `${id}/purge`, ['POST', { name }]);

const isThere = async (id: string) =>
  (await service.db.selectFrom('projects').select('id').where('id', '=', id).execute()).length > 0;

describe('the trash', () => {
  test('lists the user’s deleted projects, newest first, with the time of the purge and the stored bytes', async () => {
    const user = await service.createUser();
    const [first, second] = [await createProject(service, user, { name: 'One' }), await createProject(service, user)];
    await createProject(service, user, { name: 'Stays' });
    expect(await trashOf(user)).toEqual({ data: [], pagination: expect.objectContaining({ total: 0 }) });
    await remove(user, first.id);
    await remove(user, second.id);
    const { data, pagination } = await trashOf(user);
    expect(data.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(pagination.total).toBe(2);
    const [, one] = data;
    expect(one).toMatchObject({ name: 'One', owner: { id: user.id }, stored_bytes: expect.any(Number) });
    const days = (Date.parse(one?.purge_at ?? '') - Date.parse(one?.deleted_at ?? '')) / 86_400_000;
    // A day in the session's time zone may be an hour shorter or longer.
    expect(days).toBeCloseTo(30, 0);
    expect((await trashOf(user, '?limit=1&page=2')).data.map(({ id }) => id)).toEqual([first.id]);
  });

  test('is hidden from others, whether admins of a project or strangers', async () => {
    const [owner, admin] = [await service.createUser(), await service.createUser()];
    const { id } = await createProject(service, owner, { settings: { public: true } });
    await addCollaborator(service, id, admin, { role: 'admin' });
    await remove(owner, id);
    for (const other of [admin, await service.createUser()]) {
      expect((await trashOf(other)).data).toEqual([]);
      expectError(await purge(other, id, 'Sample'), { status: 404, code: 'NOT_FOUND' });
    }
  });

  test('allows a restore, and refuses it with a reason if the plan has no more room', async () => {
    const user = await service.createUser();
    const { id } = await createProject(service, user);
    await remove(user, id);
    for (let made = 0; made < 3; made++) await createProject(service, user);
    const refused = await restore(user, id);
    expectError(refused, { status: 403, code: 'AUTHORIZATION_ERROR' });
    expect(refused.text).toContain('The free plan allows 3 projects');
    expect((await trashOf(user)).data.map((project) => project.id)).toEqual([id]);
  });
});

describe('a purge', () => {
  test('removes a deleted project and its stored bytes for good, and is in the audit log', async () => {
    const user = await service.createUser();
    const { id } = await createProject(service, user, { name: 'Old things' });
    await remove(user, id);
    expect((await purge(user, id, 'Old things')).status).toBe(202);
    expect((await trashOf(user)).data).toEqual([]);
    expectError(await restore(user, id), { status: 404, code: 'NOT_FOUND' });
    await waitFor('the project is gone', async () => !(await isThere(id)));
    const log = await call('GET', `${service.url}/v1/user/audit-log?action=project.purged`, { token: user.key });
    expect(log.body.data).toMatchObject([{ subject_id: id, actor_id: user.id, details: { name: 'Old things' } }]);
  });

  test('requires the name of the project, and that the project is deleted', async () => {
    const user = await service.createUser();
    const { id } = await createProject(service, user, { name: 'Mine' });
    expectError(await purge(user, id, 'Mine'), { status: 409, code: 'CONFLICT' });
    await remove(user, id);
    expectError(await purge(user, id, 'mine'), { status: 422, code: 'VALIDATION_ERROR' });
    expect((await restore(user, id)).status).toBe(200);
  });

  test('and a restore at the same time do not both take effect', async () => {
    const user = await service.createUser();
    const { id } = await createProject(service, user, { name: 'Mine' });
    await remove(user, id);
    const [restored, purged] = await Promise.all([restore(user, id), purge(user, id, 'Mine')]);
    if (restored.status === 200) {
      expect(purged.status).toBe(409);
      expect(await isThere(id)).toBe(true);
    } else {
      expect([restored.status, purged.status]).toEqual([404, 202]);
      await waitFor('the project is gone', async () => !(await isThere(id)));
    }
  });
});
