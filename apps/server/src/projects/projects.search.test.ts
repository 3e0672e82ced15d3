import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../testing/clients/expect-error.ts';
import { call } from '../testing/clients/http-client.ts';
import { createProject, listProjects, onProject, type ProjectPage } from '../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';

const service = useTestService();

const names = ({ data }: ProjectPage) => data.map((project) => project.name);

async function userWith(...projects: (string | Record<string, unknown>)[]): Promise<TestUser> {
  const user = await service.createUser();
  for (const fields of projects) {
    await createProject(service, user, typeof fields === 'string' ? { name: fields } : fields);
  }
  return user;
}

let many: TestUser;
beforeAll(async () => {
  many = await userWith(
    'A plain one',
    { name: 'Other', description: 'Described\nin two lines' },
    '100% sure',
    'snake_case',
    'back\\slash',
    'Été',
    'ΟΔΟΣΑ',
    '🏛 temple',
  );
});

describe('searching projects', () => {
  test.each([
    ['plain', ['A plain one']],
    ['PLAIN', ['A plain one']],
    ['described', ['Other']],
    ['100%25', ['100% sure']],
    ['%25', ['100% sure']],
    ['_', ['snake_case']],
    ['e_c', ['snake_case']],
    ['%5C', ['back\\slash']],
    ['k%5Cs', ['back\\slash']],
    ['%C3%89T%C3%89', ['Été']],
    ['e%CC%81te%CC%81', ['Été']],
    ['%CE%9F%CE%94%CE%9F%CE%A3', ['ΟΔΟΣΑ']],
    ['%F0%9F%8F%9B', ['🏛 temple']],
    ["'%20or%20true%20--", []],
    ['one%1Fdescribed', null],
    ['no%20match', []],
    ['a%20plain%20one%20', []],
  ])('for search=%s finds %j', async (search, expected) => {
    const answer = await call<ProjectPage>('GET', `${service.url}/v1/projects?search=${search}`, { token: many.key });
    if (expected === null) return expectError(answer, { status: 400, code: 'VALIDATION_ERROR', field: 'search' });
    expect(names(answer.body)).toEqual(expected);
    expect(answer.body.pagination.total).toBe(expected.length);
  });

  test('for an empty text finds all projects', async () => {
    const user = await userWith('a', 'b');
    expect((await listProjects(service, user, '?search=')).pagination.total).toBe(2);
  });

  test('finds no match that extends from the name into the description', async () => {
    const user = await userWith({ name: 'ab', description: 'cd' });
    expect((await listProjects(service, user, '?search=bc')).pagination.total).toBe(0);
  });

  test('finds a changed name and description, and no longer the former ones', async () => {
    const user = await userWith({ name: 'Former', description: 'old words' });
    const id = (await listProjects(service, user)).data[0]?.id ?? '';
    await onProject(service, user, id, ['PATCH', { name: 'Latter', description: 'new words' }]);
    const totals = await Promise.all(
      ['former', 'old', 'latter', 'new'].map(async (search) => listProjects(service, user, `?search=${search}`)),
    );
    expect(totals.map((page) => page.pagination.total)).toEqual([0, 0, 1, 1]);
  });

  test('can be combined with status, sort and page', async () => {
    const user = await userWith('match 1', 'match 2', 'match 3', 'other');
    const first = (await listProjects(service, user, '?search=match%201')).data[0];
    await onProject(service, user, first?.id ?? '', ['PATCH', { status: 'archived' }]);
    const page = await listProjects(service, user, '?search=MATCH&status=active&sort=name&order=asc&limit=1&page=2');
    expect(names(page)).toEqual(['match 3']);
    expect(page.pagination).toEqual({ page: 2, limit: 1, total: 2, total_pages: 2 });
  });
});
