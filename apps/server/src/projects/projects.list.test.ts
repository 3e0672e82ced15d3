import { describe, expect, test } from 'vitest';
import { transaction } from '../foundation/db/transaction.ts';
import { expectError } from '../testing/clients/expect-error.ts';
import { call } from '../testing/clients/http-client.ts';
import {
  addCollaborator,
  createProject,
  listProjects,
  onProject,
  type ProjectPage,
  readProject,
} from '../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';
import { listProject, unlistProject } from './projects.listing.sql.ts';

const service = useTestService({ role: 'api' });

const names = ({ data }: ProjectPage) => data.map((project) => project.name);

async function userWith(...projectNames: string[]): Promise<TestUser> {
  const user = await service.createUser();
  for (const name of projectNames) await createProject(service, user, { name });
  return user;
}

describe('paging of projects', () => {
  test('returns the first twenty, newest first, by default', async () => {
    const user = await userWith(...Array.from({ length: 21 }, (_, index) => `p${index}`));
    const page = await listProjects(service, user);
    expect(page.pagination).toEqual({ page: 1, limit: 20, total: 21, total_pages: 2 });
    expect(names(page)).toEqual(Array.from({ length: 20 }, (_, index) => `p${20 - index}`));
    expect(names(await listProjects(service, user, '?page=2'))).toEqual(['p0']);
  });

  test('shows every project once with pages of any size', async () => {
    const user = await userWith('a', 'b', 'c', 'd', 'e');
    const pages = await Promise.all(
      [1, 2, 3].map((page) => listProjects(service, user, `?limit=2&page=${page}&sort=name&order=asc`)),
    );
    expect(pages.map(names)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect(pages[2]?.pagination).toEqual({ page: 3, limit: 2, total: 5, total_pages: 3 });
    expect((await listProjects(service, user, '?limit=100')).data).toHaveLength(5);
  });

  test('returns an empty page with the same totals beyond the end', async () => {
    const user = await userWith('a', 'b', 'c');
    for (const page of [3, 2_147_483_647]) {
      const answer = await listProjects(service, user, `?limit=2&page=${page}`);
      expect(answer).toEqual({ data: [], pagination: { page, limit: 2, total: 3, total_pages: 2 } });
    }
  });

  test('returns an empty page to a user without projects', async () => {
    const user = await service.createUser();
    expect(await listProjects(service, user)).toEqual({
      data: [],
      pagination: { page: 1, limit: 20, total: 0, total_pages: 0 },
    });
  });

  test.each([
    ['page', '0'],
    ['page', '-1'],
    ['page', '1.5'],
    ['page', 'one'],
    ['page', '2147483648'],
    ['limit', '0'],
    ['limit', '101'],
    ['limit', 'all'],
    ['sort', 'id'],
    ['order', 'DESC'],
    ['status', 'deleted'],
    ['search', 'x'.repeat(201)],
  ])('%s=%s is a 400 on that field', async (field, value) => {
    const user = await service.createUser();
    const answer = await call('GET', `${service.url}/v1/projects?${field}=${value}`, { token: user.key });
    expectError(answer, { status: 400, code: 'VALIDATION_ERROR', field });
  });
});

describe('sorting of projects', () => {
  test.each([
    ['sort=name&order=asc', ['alpha', 'Beta', 'gamma', 'Ångström']],
    ['sort=name&order=desc', ['Ångström', 'gamma', 'Beta', 'alpha']],
    ['sort=name', ['Ångström', 'gamma', 'Beta', 'alpha']],
    ['sort=created_at&order=asc', ['gamma', 'Beta', 'Ångström', 'alpha']],
    ['order=desc', ['alpha', 'Ångström', 'Beta', 'gamma']],
    ['sort=updated_at&order=desc', ['Beta', 'alpha', 'Ångström', 'gamma']],
    ['sort=updated_at&order=asc', ['gamma', 'Ångström', 'alpha', 'Beta']],
  ])('by %s ignores the case of names', async (query, expected) => {
    const user = await userWith('gamma', 'Beta', 'Ångström', 'alpha');
    const beta = (await listProjects(service, user, '?search=beta')).data[0];
    await onProject(service, user, beta?.id ?? '', ['PATCH', { description: 'touched' }]);
    expect(names(await listProjects(service, user, `?${query}`))).toEqual(expected);
  });

  test('orders equal keys by id in the same direction, so that pages never overlap', async () => {
    const user = await userWith('same', 'Same', 'SAME', 'same', 'same');
    await onProject(service, user, (await listProjects(service, user)).data[1]?.id ?? '', [
      'PATCH',
      { status: 'archived' },
    ]);
    for (const order of ['asc', 'desc']) {
      const ids: string[] = [];
      for (const page of [1, 2, 3]) {
        const { data } = await listProjects(service, user, `?sort=name&order=${order}&limit=2&page=${page}`);
        ids.push(...data.map((project) => project.id));
      }
      const sorted = [...new Set(ids)].sort();
      expect(ids).toEqual(order === 'asc' ? sorted : sorted.reverse());
      expect(ids).toHaveLength(5);
    }
  });
});

describe('the list of projects', () => {
  test('has each project as it is read, with stats instead of collaborators', async () => {
    const user = await service.createUser();
    await createProject(service, user, { description: 'd', repository: { url: 'https://git.example.com/x' } });
    const item = (await listProjects(service, user)).data[0];
    const { collaborators, ...project } = await readProject(service, user, item?.id ?? '');
    expect(collaborators).toEqual([]);
    expect(item).toEqual({
      ...project,
      stats: { files_count: 0, collaborators_count: 0, last_activity: project.created_at },
    });
  });

  test('has the stats that are stored for the project', async () => {
    const user = await userWith('One');
    const id = (await listProjects(service, user)).data[0]?.id ?? '';
    const last_activity = new Date('2026-03-04T05:06:07.089Z');
    await service.db
      .updateTable('project_stats')
      .set({ files_count: 12, collaborators_count: 3, last_activity })
      .where('project_id', '=', id)
      .execute();
    expect((await listProjects(service, user)).data[0]?.stats).toEqual({
      files_count: 12,
      collaborators_count: 3,
      last_activity: last_activity.toISOString(),
    });
  });

  test('shows a change as the last activity', async () => {
    const user = await userWith('One');
    const id = (await listProjects(service, user)).data[0]?.id ?? '';
    const { body } = await onProject(service, user, id, ['PATCH', { name: 'Two' }]);
    expect((await listProjects(service, user)).data[0]?.stats.last_activity).toBe(body.updated_at);
  });

  test('has no projects of others, not even public ones, unless the user collaborates on them', async () => {
    const [owner, other] = [await service.createUser(), await userWith('mine')];
    const shared = await createProject(service, owner, { name: 'shared', settings: { public: true } });
    expect(names(await listProjects(service, other))).toEqual(['mine']);
    await addCollaborator(service, shared.id, other, { role: 'viewer' });
    const row = await service.db
      .selectFrom('projects')
      .selectAll()
      .where('id', '=', shared.id)
      .executeTakeFirstOrThrow();
    await transaction(service.db, async (trx) => {
      await unlistProject(trx, shared.id);
      await listProject(trx, row);
    });
    const page = await listProjects(service, other, '?sort=name&order=desc');
    expect(names(page)).toEqual(['shared', 'mine']);
    expect(page.data[0]?.owner.id).toBe(owner.id);
    expect(page.pagination.total).toBe(2);
  });
});

describe('the totals of projects stay exact', () => {
  const totals = async (user: TestUser) => {
    const pages = await Promise.all(
      ['', '?status=active', '?status=archived'].map((q) => listProjects(service, user, q)),
    );
    return pages.map((page) => [page.pagination.total, page.data.length]);
  };

  test('when projects are archived, activated, deleted and restored', async () => {
    const user = await userWith('a', 'b', 'c');
    const id = (await listProjects(service, user)).data[0]?.id ?? '';
    expect(await totals(user)).toEqual([
      [3, 3],
      [3, 3],
      [0, 0],
    ]);
    await onProject(service, user, id, ['PATCH', { status: 'archived' }]);
    expect(await totals(user)).toEqual([
      [3, 3],
      [2, 2],
      [1, 1],
    ]);
    await onProject(service, user, id, ['DELETE']);
    expect(await totals(user)).toEqual([
      [2, 2],
      [2, 2],
      [0, 0],
    ]);
    await call('POST', `${service.url}/v1/projects/${id}/restore`, { token: user.key });
    expect(await totals(user)).toEqual([
      [3, 3],
      [2, 2],
      [1, 1],
    ]);
    await onProject(service, user, id, ['PATCH', { status: 'active' }]);
    expect(await totals(user)).toEqual([
      [3, 3],
      [3, 3],
      [0, 0],
    ]);
  });

  test('when many projects are created and deleted at the same time', async () => {
    const user = await service.createUser();
    const created = await Promise.all(Array.from({ length: 40 }, () => createProject(service, user)));
    await Promise.all(created.slice(0, 15).map(({ id }) => onProject(service, user, id, ['DELETE'])));
    await Promise.all(
      created.slice(15, 25).map(({ id }) => onProject(service, user, id, ['PATCH', { status: 'archived' }])),
    );
    const pages = await Promise.all(
      ['', '&status=active', '&status=archived'].map((q) => listProjects(service, user, `?limit=100${q}`)),
    );
    expect(pages.map((page) => [page.pagination.total, page.data.length])).toEqual([
      [25, 25],
      [15, 15],
      [10, 10],
    ]);
  });
});
