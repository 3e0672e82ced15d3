import type { AdminProject } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../testing/clients/expect-error.ts';
import { call } from '../testing/clients/http-client.ts';
import { createProject, onProject, readProject } from '../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';

const service = useTestService({ settings: { BOTTEGA_PROJECT_LIMIT_FREE: '2' } });

let admin: TestUser;
let ada: TestUser;
beforeAll(async () => {
  admin = await service.createUser({ isAdmin: true });
  ada = await service.createUser({ email: 'ada@example.com' });
});

type Page = { data: AdminProject[]; pagination: { total: number } };
const list = async (query = '', by = admin) =>
  (await call<Page>('GET', `${service.url}/v1/admin/projects${query}`, { token: by.key })).body;
const restore = (id: string) => call('POST', `${service.url}/v1/admin/projects/${id}/restore`, { token: admin.key });

describe('administrators', () => {
  test('see the projects of all accounts with owner, size and state, and can search and filter them', async () => {
    const small = await createProject(service, ada, { name: 'Small_one' });
    const large = await createProject(service, await service.createUser(), { name: 'Large' });
    const bytes = { stored_bytes: 5000 };
    await service.db.updateTable('project_stats').set(bytes).where('project_id', '=', large.id).execute();
    const { data, pagination } = await list('?sort=stored_bytes');
    expect(pagination.total).toBe(2);
    expect(data[0]).toMatchObject({ id: large.id, stored_bytes: 5000, status: 'active', public: false });
    for (const query of ['?search=SMALL_', '?search=ada%40example', `?owner_id=${ada.id}`]) {
      expect((await list(query)).data.map(({ id }) => id)).toEqual([small.id]);
    }
    await onProject(service, ada, small.id, ['DELETE']);
    const [deleted] = (await list('?status=deleted')).data;
    expect(deleted).toMatchObject({ id: small.id, status: 'deleted', owner: { email: ada.email } });
    expect(deleted?.purge_at).toMatch(/Z$/);
    expect((await list('?status=active')).data.map(({ id }) => id)).toEqual([large.id]);
  });

  test('can restore a deleted project for its owner, within the limits of the owner’s plan', async () => {
    const owner = await service.createUser();
    const { id } = await createProject(service, owner);
    await onProject(service, owner, id, ['DELETE']);
    expect((await restore(id)).status).toBe(200);
    expect((await readProject(service, owner, id)).owner.id).toBe(owner.id);
    expectError(await onProject(service, admin, id, ['GET']), { status: 404, code: 'NOT_FOUND' });
    await onProject(service, owner, id, ['DELETE']);
    for (let made = 0; made < 2; made++) await createProject(service, owner);
    expectError(await restore(id), { status: 403, code: 'AUTHORIZATION_ERROR' });
    const log = await call('GET', `${service.url}/v1/admin/audit-log?account_id=${owner.id}`, { token: admin.key });
    expect(log.body.data).toContainEqual(
      expect.objectContaining({ action: 'project.restored', actor_id: admin.id, subject_id: id }),
    );
  });
});
