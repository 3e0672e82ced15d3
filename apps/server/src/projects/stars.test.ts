import { maxStars, type Stars } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { expectError, messageOf } from '../testing/clients/expect-error.ts';
import { call } from '../testing/clients/http-client.ts';
import {
  addCollaborator,
  createProject,
  listProjects,
  onProject,
  readProject,
} from '../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';

const service = useTestService();

const star = (user: TestUser, id: string) => onProject(service, user, `${id}/star`, ['PUT']);
const unstar = (user: TestUser, id: string) => onProject(service, user, `${id}/star`, ['DELETE']);
const starsOf = async (user: TestUser): Promise<string[]> =>
  (await call<Stars>('GET', `${service.url}/v1/user/stars`, { token: user.key })).body.project_ids;
const starred = async (user: TestUser, more = ''): Promise<string[]> =>
  (await listProjects(service, user, `?starred=true${more}`)).data.map(({ name }) => name);

describe('a star', () => {
  test('can be set and removed repeatedly, is private to its user, and the newest is listed first', async () => {
    const [owner, viewer] = [await service.createUser(), await service.createUser()];
    const [one, two] = [await createProject(service, owner), await createProject(service, owner)];
    await addCollaborator(service, one.id, viewer);
    for (const id of [one.id, two.id, one.id]) expect((await star(owner, id)).status).toBe(204);
    expect(await starsOf(owner)).toEqual([two.id, one.id]);
    expect(await starsOf(viewer)).toEqual([]);
    expect((await star(viewer, one.id)).status).toBe(204);
    expect((await unstar(owner, one.id)).status).toBe(204);
    expect((await unstar(owner, one.id)).status).toBe(204);
    expect(await starsOf(owner)).toEqual([two.id]);
    expect(await starsOf(viewer)).toEqual([one.id]);
  });

  test('changes nothing that others see of the project, not even the time of its last change', async () => {
    const owner = await service.createUser();
    const { id } = await createProject(service, owner, { settings: { public: true } });
    const before = await readProject(service, owner, id);
    await star(await service.createUser(), id);
    expect(await readProject(service, owner, id)).toEqual(before);
  });

  test('is hidden without the right to read and in the trash, can still be removed, and returns with the project', async () => {
    const [owner, fan] = [await service.createUser(), await service.createUser()];
    const { id } = await createProject(service, owner, { name: 'Open', settings: { public: true } });
    await star(fan, id);
    await star(owner, id);
    await onProject(service, owner, id, ['PATCH', { settings: { public: false } }]);
    expect([await starsOf(fan), await starred(fan)]).toEqual([[], []]);
    expect((await unstar(fan, id)).status).toBe(204);
    expectError(await unstar(fan, id), { status: 404, code: 'NOT_FOUND' });
    await onProject(service, owner, id, ['DELETE']);
    expect([await starsOf(owner), await starred(owner)]).toEqual([[], []]);
    await onProject(service, owner, `${id}/restore`, ['POST']);
    expect([await starsOf(owner), await starred(owner)]).toEqual([[id], ['Open']]);
  });

  test('is deleted with the project and with the account', async () => {
    const [owner, fan] = [await service.createUser(), await service.createUser()];
    const projects = [
      await createProject(service, owner, { settings: { public: true } }),
      await createProject(service, owner, { settings: { public: true } }),
    ];
    for (const { id } of projects) await star(fan, id);
    const rows = () => service.db.selectFrom('stars').select('project_id').where('user_id', '=', fan.id).execute();
    await service.db
      .deleteFrom('projects')
      .where('id', '=', projects[0]?.id ?? '')
      .execute();
    expect(await rows()).toEqual([{ project_id: projects[1]?.id }]);
    await service.db.deleteFrom('users').where('id', '=', fan.id).execute();
    expect(await rows()).toEqual([]);
  });

  test(`is refused beyond ${maxStars}, however many come at once; one that is there may be given again`, async () => {
    const [owner, fan] = [await service.createUser(), await service.createUser()];
    const settings = { public: true };
    const last = await Promise.all([1, 2, 3].map(() => createProject(service, owner, { settings })));
    await service.pool.query(
      `with made as (
         insert into projects (id, owner_id, name, public)
         select 'prj_' || lpad(n::text, 26, '0'), $1, 'Many', true from generate_series(1, $3::int) as n returning id
       ) insert into stars (user_id, project_id) select $2, id from made`,
      [owner.id, fan.id, maxStars - 1],
    );
    const answers = await Promise.all(last.map(({ id }) => star(fan, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused && messageOf(refused)).toBe(`You can star at most ${maxStars} projects; remove a star first`);
    const [newest = ''] = await starsOf(fan);
    expect((await star(fan, newest)).status).toBe(204);
    expect(await starsOf(fan)).toHaveLength(maxStars);
  });
});

describe('the list of starred projects', () => {
  test('has the user’s own projects and others that they may read, and is searched, sorted and paged', async () => {
    const [owner, fan] = [await service.createUser({ name: 'Olga' }), await service.createUser()];
    const open = await createProject(service, owner, { name: 'Beta', settings: { public: true } });
    const own = await createProject(service, fan, { name: 'Alpha' });
    const shared = await createProject(service, owner, { name: 'Gamma' });
    await createProject(service, fan, { name: 'Without' });
    await addCollaborator(service, shared.id, fan);
    for (const { id } of [open, own, shared]) await star(fan, id);
    expect(await starred(fan, '&sort=name&order=asc')).toEqual(['Alpha', 'Beta', 'Gamma']);
    expect(await starred(fan, '&search=et')).toEqual(['Beta']);
    expect(await starred(fan, '&visibility=public')).toEqual(['Beta']);
    expect(await starred(fan, '&status=archived')).toEqual([]);
    const page = await listProjects(service, fan, '?starred=true&sort=name&order=desc&limit=1&page=2');
    expect(page).toMatchObject({ data: [{ name: 'Beta', owner: { email: '' } }], pagination: { total: 3 } });
    expect((await listProjects(service, fan, '?starred=false')).pagination.total).toBe(2);
  });
});
