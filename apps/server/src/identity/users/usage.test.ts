import type { Usage } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { expectError, messageOf } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { addCollaborator, createProject, listProjects, onProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({
  settings: {
    BOTTEGA_PROJECT_LIMIT_FREE: '3',
    BOTTEGA_STORAGE_LIMIT_FREE: '5000',
    BOTTEGA_RATE_LIMIT_PRO: '5000/400',
    BOTTEGA_RATE_LIMIT_WINDOW: '1800',
    BOTTEGA_RATE_LIMIT_BURST_WINDOW: '30',
  },
});

const usageOf = (user: TestUser) => call<Usage>('GET', `${service.url}/v1/user/usage`, { token: user.key });
const create = (user: TestUser) =>
  call<{ id: string }>('POST', `${service.url}/v1/projects`, { token: user.key, json: { name: 'One more' } });
const restore = (user: TestUser, id: string) =>
  call('POST', `${service.url}/v1/projects/${id}/restore`, { token: user.key });

describe('usage', () => {
  test('counts requests against the tier of the plan and agrees with the headers', async () => {
    const user = await service.createUser({ plan: 'pro' });
    await usageOf(user);
    const { status, body, headers } = await usageOf(user);
    expect(status).toBe(200);
    expect(body.plan).toBe('pro');
    expect(body.requests).toMatchObject({ used: 2, limit: 5000, remaining: 4998, window: 1800 });
    expect(body.requests.burst).toMatchObject({ limit: 400, window: 30 });
    expect(body.requests.burst.remaining).toBeLessThan(400);
    expect(headers.get('x-ratelimit-remaining')).toBe('4998');
    expect(headers.get('x-ratelimit-window')).toBe('1800');
    const reset = Date.parse(body.requests.reset_at);
    expect(Math.ceil(reset / 1000)).toBe(Number(headers.get('x-ratelimit-reset')));
    expect(reset).toBeGreaterThan(Date.now());
  });

  test('counts owned projects that are not deleted, including archived ones but not shared ones', async () => {
    const [user, other] = [await service.createUser(), await service.createUser()];
    expect((await usageOf(user)).body.projects).toEqual({ used: 0, limit: 3 });
    const [one, two] = [await createProject(service, user), await createProject(service, user)];
    await addCollaborator(service, (await createProject(service, other)).id, user, { role: 'admin' });
    await onProject(service, user, one.id, ['PATCH', { status: 'archived' }]);
    expect((await usageOf(user)).body.projects).toEqual({ used: 2, limit: 3 });
    await onProject(service, user, two.id, ['DELETE']);
    expect((await usageOf(user)).body.projects).toEqual({ used: 1, limit: 3 });
  });

  test('adds up the stored bytes of owned projects and their artifacts, including deleted projects until the purge', async () => {
    const user = await service.createUser();
    const projects = [await createProject(service, user), await createProject(service, user)];
    for (const { id } of projects) {
      await service.db.updateTable('project_stats').set({ stored_bytes: 1200 }).where('project_id', '=', id).execute();
    }
    expect((await usageOf(user)).body.stored_bytes).toEqual({ used: 2400, limit: 5000 });
    await service.db.updateTable('project_stats').set({ artifact_bytes: 300 }).execute();
    expect((await usageOf(user)).body.stored_bytes).toEqual({ used: 3000, limit: 5000 });
    const gone = projects[0]?.id ?? '';
    await onProject(service, user, gone, ['DELETE']);
    expect((await usageOf(user)).body.stored_bytes).toEqual({ used: 3000, limit: 5000 });
    await service.db.deleteFrom('projects').where('id', '=', gone).execute();
    expect((await usageOf(user)).body.stored_bytes).toEqual({ used: 1500, limit: 5000 });
  });

  test('shows null where the plan sets no limit', async () => {
    const user = await service.createUser({ plan: 'enterprise' });
    const { body } = await usageOf(user);
    expect(body).toMatchObject({ plan: 'enterprise', projects: { limit: null }, stored_bytes: { limit: null } });
  });
});

describe('the project limit of the plan', () => {
  test('refuses one more project with 403, until deleting a project makes room', async () => {
    const user = await service.createUser();
    const created = [await create(user), await create(user), await create(user)];
    expect(created.map((answer) => answer.status)).toEqual([201, 201, 201]);
    const refused = await create(user);
    expectError(refused, { status: 403, code: 'AUTHORIZATION_ERROR' });
    expect(messageOf(refused)).toBe('The free plan allows 3 projects');
    expect((await listProjects(service, user)).pagination.total).toBe(3);
    await onProject(service, user, created[0]?.body.id ?? '', ['DELETE']);
    expect((await create(user)).status).toBe(201);
  });

  test('counts archived projects and does not count shared ones', async () => {
    const [user, other] = [await service.createUser(), await service.createUser()];
    await addCollaborator(service, (await createProject(service, other)).id, user, { role: 'admin' });
    const { body } = await create(user);
    await onProject(service, user, body.id, ['PATCH', { status: 'archived' }]);
    const answers = [await create(user), await create(user), await create(user)];
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 403]);
  });

  test('holds when many projects are created at the same time', async () => {
    const user = await service.createUser();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(user)));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(3);
    expect(answers.filter((answer) => answer.status === 403)).toHaveLength(17);
    expect((await usageOf(user)).body.projects.used).toBe(3);
  });

  test('cannot be evaded by deleting, creating and restoring', async () => {
    const user = await service.createUser();
    const created = [await create(user), await create(user), await create(user)];
    const gone = created[0]?.body.id ?? '';
    await onProject(service, user, gone, ['DELETE']);
    const replacement = await create(user);
    expectError(await restore(user, gone), { status: 403, code: 'AUTHORIZATION_ERROR' });
    await onProject(service, user, replacement.body.id, ['DELETE']);
    expect((await restore(user, gone)).status).toBe(200);
  });

  test('depends on the plan: a larger plan allows more projects', async () => {
    const user = await service.createUser({ plan: 'pro' });
    const answers = await Promise.all([1, 2, 3, 4].map(() => create(user)));
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201, 201]);
  });
});
