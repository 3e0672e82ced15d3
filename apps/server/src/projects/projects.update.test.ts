import { defaultProjectSettings, type Project } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { expectError } from '../testing/clients/expect-error.ts';
import { call } from '../testing/clients/http-client.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { createProject, listProjects, onProject, readProject } from '../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';

const service = useTestService({ role: 'api' });

/** A new address is fetched at once. */
const syncing = { last_sync: null, status: 'syncing', error: null, error_code: null, error_values: {} };

const everything = {
  name: 'Whole',
  description: 'all of it',
  settings: {
    public: true,
    collaboration_enabled: false,
    auto_save: false,
    version_control: false,
    auto_deploy: true,
    auto_preview: false,
  },
  repository: { url: 'https://git.example.com/whole', branch: 'trunk' },
};

async function userWithProject(fields: Record<string, unknown> = everything) {
  const user = await service.createUser();
  return { user, project: await createProject(service, user, fields) };
}

async function expectStored(user: TestUser, project: Project): Promise<void> {
  expect(await readProject(service, user, project.id)).toEqual({ ...project, collaborators: [], live_url: null });
}

describe('PUT on a project', () => {
  test('resets a missing description and missing settings to their defaults, but keeps status and repository', async () => {
    const { user, project } = await userWithProject();
    const { status, body } = await onProject(service, user, project.id, ['PUT', { name: 'Bare' }]);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...project,
      name: 'Bare',
      description: '',
      settings: defaultProjectSettings,
      updated_at: body.updated_at,
    });
    await expectStored(user, body);
  });

  test('resets the settings that are not sent to their defaults', async () => {
    const { user, project } = await userWithProject();
    const { body } = await onProject(service, user, project.id, ['PUT', { name: 'x', settings: { auto_save: false } }]);
    expect(body.settings).toEqual({ ...defaultProjectSettings, auto_save: false });
  });

  test('stores everything that is sent, with the name trimmed', async () => {
    const { user, project } = await userWithProject({ name: 'Small' });
    const json = { ...everything, name: '  Whole\t' };
    const { status, body } = await onProject(service, user, project.id, ['PUT', json]);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...everything, repository: { ...everything.repository, last_sync: null } });
    await expectStored(user, body);
  });

  test('sets a missing branch of the repository to main, and removes the repository with null', async () => {
    const { user, project } = await userWithProject();
    const url = 'https://git.example.com/other';
    const replaced = await onProject(service, user, project.id, ['PUT', { name: 'x', repository: { url } }]);
    expect(replaced.body.repository).toMatchObject({ url, branch: 'main', last_sync: null });
    const removed = await onProject(service, user, project.id, ['PUT', { name: 'x', repository: null }]);
    expect(removed.body.repository).toBeNull();
    await expectStored(user, removed.body);
  });

  test.each([
    ['name', {}],
    ['name', { name: null }],
    ['description', { name: 'x', description: null }],
    ['settings', { name: 'x', settings: null }],
    ['settings.public', { name: 'x', settings: { public: null } }],
    ['status', { name: 'x', status: 'deleted' }],
  ])('with a bad %s is a 422 on that field and changes nothing', async (field, json) => {
    const { user, project } = await userWithProject();
    const answer = await onProject(service, user, project.id, ['PUT', json]);
    expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field });
    await expectStored(user, project);
  });
});

describe('PATCH on a project', () => {
  test.each([
    ['name', { name: '  Renamed ' }, { name: 'Renamed' }],
    ['description', { description: 'new' }, { description: 'new' }],
    ['description of nothing', { description: '' }, { description: '' }],
    ['one setting', { settings: { public: false } }, { settings: { ...everything.settings, public: false } }],
    ['null for the description', { description: null }, { description: '' }],
    [
      'null for one setting',
      { settings: { auto_save: null } },
      { settings: { ...everything.settings, auto_save: true } },
    ],
    ['null for all settings', { settings: null }, { settings: defaultProjectSettings }],
    ['null for the repository', { repository: null }, { repository: null }],
    [
      'the branch alone',
      { repository: { branch: 'dev' } },
      { repository: { ...syncing, url: everything.repository.url, branch: 'dev' } },
    ],
    [
      'the address alone',
      { repository: { url: 'https://git.example.com/o' } },
      { repository: { ...syncing, url: 'https://git.example.com/o', branch: 'trunk' } },
    ],
    [
      'null for the branch',
      { repository: { branch: null } },
      { repository: { ...syncing, url: everything.repository.url, branch: 'main' } },
    ],
    ['the status', { status: 'archived' }, { status: 'archived' }],
  ])('changes %s, and nothing else', async (_what, json, expected) => {
    const { user, project } = await userWithProject();
    const { status, body } = await onProject(service, user, project.id, ['PATCH', json]);
    expect(status).toBe(200);
    expect(body).toEqual({ ...project, ...expected, updated_at: body.updated_at });
    await expectStored(user, body);
  });

  test.each([
    ['name', { name: null }],
    ['name', { name: '   ' }],
    ['status', { status: null }],
    ['settings', { settings: [] }],
    ['settings.public', { settings: { public: 'true' } }],
    ['settings.public', { settings: { public: 1 } }],
    ['settings.theme', { settings: { theme: 'dark' } }],
    ['repository.url', { repository: { url: null } }],
    ['repository.depth', { repository: { depth: 1 } }],
    ['template', { template: 'tpl_x' }],
    ['deleted_at', { deleted_at: null }],
  ])('with a bad %s is a 422 on that field and changes nothing', async (field, json) => {
    const { user, project } = await userWithProject();
    const answer = await onProject(service, user, project.id, ['PATCH', json]);
    expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field });
    await expectStored(user, project);
  });

  test('with a branch alone is a 422 if there is no repository', async () => {
    const { user, project } = await userWithProject({});
    const answer = await onProject(service, user, project.id, ['PATCH', { repository: { branch: 'x' } }]);
    expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field: 'repository.url' });
  });

  test('accepts application/merge-patch+json', async () => {
    const { user, project } = await userWithProject();
    const answer = await call<Project>('PATCH', `${service.url}/v1/projects/${project.id}`, {
      token: user.key,
      body: '{"description":null}',
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(answer).toMatchObject({ status: 200, body: { description: '' } });
  });

  test('takes effect even if another is sent at the same time', async () => {
    const { user, project } = await userWithProject();
    await Promise.all([
      onProject(service, user, project.id, ['PATCH', { name: 'Mine' }]),
      onProject(service, user, project.id, ['PATCH', { description: 'yours' }]),
    ]);
    expect(await readProject(service, user, project.id)).toMatchObject({ name: 'Mine', description: 'yours' });
  });
});

describe('an answer that is sent back', () => {
  test.each(['PUT', 'PATCH'])('by %s as GET returned it changes nothing', async (method) => {
    const { user, project } = await userWithProject();
    const read = await readProject(service, user, project.id);
    const { status, body } = await onProject(service, user, project.id, [method, read]);
    expect(status).toBe(200);
    expect(body).toEqual(project);
  });

  test.each(['PUT', 'PATCH'])('by %s as the list returned it changes nothing', async (method) => {
    const { user, project } = await userWithProject();
    const item = (await listProjects(service, user)).data[0];
    const { status, body } = await onProject(service, user, project.id, [method, item]);
    expect(status).toBe(200);
    expect(body).toEqual(project);
  });

  test.each(['PUT', 'PATCH'])('by %s with different read-only fields changes nothing', async (method) => {
    const { user, project } = await userWithProject();
    const [other, read] = [await service.createUser(), await readProject(service, user, project.id)];
    const forged = {
      ...read,
      id: 'prj_00000000000000000000000000',
      owner: { id: other.id },
      created_at: '1999-01-01T00:00:00Z',
      updated_at: null,
      collaborators: [{ id: other.id, role: 'admin' }],
      stats: { files_count: -1 },
      repository: { ...read.repository, last_sync: '1999-01-01T00:00:00Z' },
    };
    const { status, body } = await onProject(service, user, project.id, [method, forged]);
    expect(status).toBe(200);
    expect(body).toEqual(project);
    await expectStored(user, project);
  });

  test.each(['PUT', 'PATCH'])('by %s with a field that no answer has is refused', async (method) => {
    const { user, project } = await userWithProject();
    const json = { ...(await readProject(service, user, project.id)), owner_id: 'usr_x' };
    const answer = await onProject(service, user, project.id, [method, json]);
    expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field: 'owner_id' });
  });
});

describe('the times of a project', () => {
  test('have a new updated_at and the same created_at after a change', async () => {
    const { user, project } = await userWithProject();
    const { body } = await onProject(service, user, project.id, ['PATCH', { name: 'x' }]);
    expect(body.created_at).toBe(project.created_at);
    const row = await service.db
      .selectFrom('projects')
      .select([
        'created_at',
        'updated_at',
        (project) => project('updated_at', '>', project.ref('created_at')).as('moved'),
      ])
      .where('id', '=', project.id)
      .executeTakeFirstOrThrow();
    expect(row.moved).toBe(true);
    expect(row.updated_at.toISOString()).toBe(body.updated_at);
  });

  test('never go back, even if a change had to wait for another', async () => {
    const { user, project } = await userWithProject();
    const other = await service.pool.connect();
    await other.query('begin');
    await other.query('select from projects where id = $1 for update', [project.id]);
    const waiting = onProject(service, user, project.id, ['PATCH', { name: 'Second' }]);
    await waitFor('the change waits', async () => {
      const { rows } = await service.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
    const { rows } = await other.query(
      'update projects set updated_at = clock_timestamp() where id = $1 returning updated_at',
      [project.id],
    );
    await other.query('commit');
    other.release();
    const { body } = await waiting;
    expect(Date.parse(body.updated_at)).toBeGreaterThanOrEqual(rows[0].updated_at.getTime());
  });

  test('stay the same after a request that changes nothing', async () => {
    const { user, project } = await userWithProject();
    expect((await onProject(service, user, project.id, ['PATCH', {}])).body).toEqual(project);
    expect((await onProject(service, user, project.id, ['PATCH', { name: ' Whole ' }])).body).toEqual(project);
  });

  test('lose the last sync when the address or branch of the repository changes, and keep it after any other change', async () => {
    const { user, project } = await userWithProject();
    const synced = new Date('2026-05-06T07:08:09.123Z');
    const sync = () =>
      service.db.updateTable('projects').set({ repository_last_sync: synced }).where('id', '=', project.id).execute();
    await sync();
    const renamed = await onProject(service, user, project.id, ['PATCH', { name: 'x' }]);
    expect(renamed.body.repository?.last_sync).toBe(synced.toISOString());
    const moved = await onProject(service, user, project.id, ['PATCH', { repository: { branch: 'dev' } }]);
    expect(moved.body.repository).toMatchObject({ ...everything.repository, branch: 'dev', last_sync: null });
    await sync();
    const gone = await onProject(service, user, project.id, ['PATCH', { repository: null }]);
    expect(gone.body.repository).toBeNull();
    const row = await service.db.selectFrom('projects').selectAll().where('id', '=', project.id).executeTakeFirst();
    expect(row).toMatchObject({ repository_url: null, repository_branch: null, repository_last_sync: null });
  });
});
