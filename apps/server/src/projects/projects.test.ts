import type { Project } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { expectError } from '../testing/clients/expect-error.ts';
import { call } from '../testing/clients/http-client.ts';
import { addCollaborator, createProject, onProject, readProject } from '../testing/samples/sample-projects.ts';
import { useTestService } from '../testing/service/test-service.ts';

const service = useTestService({ role: 'api' });

const post = (token: string, json: unknown) => call<Project>('POST', `${service.url}/v1/projects`, { token, json });
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('creating a project', () => {
  test('needs only a name; everything else has a default', async () => {
    const user = await service.createUser({ name: 'Ada' });
    const { status, body } = await post(user.key, { name: 'One' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^prj_[0-9a-z]{26}$/),
      name: 'One',
      description: '',
      status: 'active',
      created_at: expect.stringMatching(iso),
      updated_at: body.created_at,
      owner: { id: user.id, name: 'Ada', username: user.username, email: user.email },
      settings: {
        public: false,
        collaboration_enabled: true,
        auto_save: true,
        version_control: true,
        auto_deploy: false,
        auto_preview: true,
      },
      repository: null,
      template_id: null,
      forked_from: null,
    });
    const row = await service.db.selectFrom('projects').selectAll().where('id', '=', body.id).executeTakeFirst();
    expect(row).toMatchObject({ owner_id: user.id, name: 'One', description: '', status: 'active', deleted_at: null });
  });

  test('stores every field that was sent, and shows default settings for the others', async () => {
    const user = await service.createUser();
    const { status, body } = await post(user.key, {
      name: 'Two',
      description: 'First line\n\tsecond line',
      settings: { public: true, auto_save: false },
      repository: { url: 'https://git.example.com/two.git', branch: 'trunk' },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      description: 'First line\n\tsecond line',
      settings: {
        public: true,
        collaboration_enabled: true,
        auto_save: false,
        version_control: true,
        auto_deploy: false,
        auto_preview: true,
      },
      repository: {
        url: 'https://git.example.com/two.git',
        branch: 'trunk',
        last_sync: null,
        status: 'syncing',
        error: null,
        error_code: null,
        error_values: {},
      },
    });
    expect(await readProject(service, user, body.id)).toEqual({ ...body, collaborators: [], live_url: null });
  });

  test('sets the branch of a repository to main by default', async () => {
    const user = await service.createUser();
    const { body } = await post(user.key, { name: 'x', repository: { url: 'http://git.example.com/x' } });
    expect(body.repository).toEqual({
      url: 'http://git.example.com/x',
      branch: 'main',
      last_sync: null,
      status: 'syncing',
      error: null,
      error_code: null,
      error_values: {},
    });
  });

  test.each([
    ['ssh://git@example.com/x'],
    ['file:///etc/passwd'],
    ['ext::sh -c id'],
    ['https://user:secret@example.com/x'],
    ['https://'],
    ['example.com/x'],
    ['https://example.com/a b'],
  ])('refuses the repository address %s', async (url) => {
    const user = await service.createUser();
    expectError(await post(user.key, { name: 'x', repository: { url } }), {
      status: 422,
      code: 'VALIDATION_ERROR',
      field: 'repository.url',
    });
  });

  test('removes white space around a name before its characters are counted', async () => {
    const user = await service.createUser();
    const { status, body } = await post(user.key, { name: ` \t\u00a0\u3000\n${'a'.repeat(100)}  ` });
    expect(status).toBe(201);
    expect(body.name).toBe('a'.repeat(100));
  });

  test.each([
    ['1 character', 'a'],
    ['100 characters', 'é'.repeat(100)],
    ['100 characters outside the basic plane', '🏛'.repeat(100)],
  ])('accepts a name of %s and returns it unchanged', async (_length, name) => {
    const user = await service.createUser();
    const { status, body } = await post(user.key, { name });
    expect(status).toBe(201);
    expect((await readProject(service, user, body.id)).name).toBe(name);
  });

  test.each([
    ['nothing', ''],
    ['white space alone', ' \u2003\t\n '],
    ['101 characters', 'a'.repeat(101)],
    ['101 characters outside the basic plane', '🏛'.repeat(101)],
    ['a line break inside', 'a\nb'],
    ['a NUL character', 'a\u0000b'],
    ['half a surrogate pair', 'a\ud800b'],
  ])('with a name of %s is a 422 on name', async (_what, name) => {
    const user = await service.createUser();
    expectError(await post(user.key, { name }), { status: 422, code: 'VALIDATION_ERROR', field: 'name' });
    const rows = await service.db.selectFrom('projects').select('id').where('owner_id', '=', user.id).execute();
    expect(rows).toEqual([]);
  });

  test('reports a missing name as required', async () => {
    const user = await service.createUser();
    const answer = await post(user.key, { description: 'nameless' });
    expectError(answer, { status: 422, code: 'VALIDATION_ERROR' });
    expect(answer.body).toMatchObject({ error: { details: [{ field: 'name', message: 'is required' }] } });
  });

  test('reports every bad field separately, with its dotted path', async () => {
    const user = await service.createUser();
    const answer = await post(user.key, {
      name: 7,
      colour: 'red',
      settings: { public: 'yes', shiny: true },
      repository: { branch: 'x' },
    });
    for (const field of ['name', 'colour', 'settings.public', 'settings.shiny', 'repository.url']) {
      expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field });
    }
    expect((answer.body as unknown as { error: { details: unknown[] } }).error.details).toHaveLength(5);
  });

  test.each(['id', 'owner', 'status', 'created_at', 'stats'])(
    'refuses the field %s, which only the service can set',
    async (field) => {
      const user = await service.createUser();
      const answer = await post(user.key, { name: 'x', [field]: 'active' });
      expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field });
    },
  );

  test('with an unknown template is a 422 on template', async () => {
    const user = await service.createUser();
    const answer = await post(user.key, { name: 'x', template: 'tpl_none' });
    expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field: 'template' });
  });

  test('allows two projects with the same name', async () => {
    const user = await service.createUser();
    const [one, other] = [await post(user.key, { name: 'Same' }), await post(user.key, { name: 'Same' })];
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(one.body.id).not.toBe(other.body.id);
  });
});

describe('reading a project', () => {
  test('shows active collaborators with their roles, but neither the owner nor pending collaborators', async () => {
    const owner = await service.createUser();
    const [editor, invited] = [await service.createUser({ name: 'Eve' }), await service.createUser()];
    const project = await createProject(service, owner);
    await addCollaborator(service, project.id, editor, { role: 'editor' });
    await addCollaborator(service, project.id, invited, { status: 'pending' });
    const expected = [
      { id: editor.id, name: 'Eve', email: editor.email, role: 'editor', joined_at: '2026-01-02T03:04:05.678Z' },
    ];
    expect((await readProject(service, owner, project.id)).collaborators).toEqual(expected);
    expect((await readProject(service, editor, project.id)).collaborators).toEqual(expected);
    expectError(await onProject(service, invited, project.id, ['GET']), { status: 404, code: 'NOT_FOUND' });
  });

  test('returns the same project at both mounts', async () => {
    const user = await service.createUser();
    const project = await createProject(service, user);
    const answer = await call('GET', `${service.url}/api/v1/projects/${project.id}`, { token: user.key });
    expect(answer.body).toEqual({ ...project, collaborators: [], live_url: null });
  });

  test('shows last_sync as the time of the last import', async () => {
    const user = await service.createUser();
    const project = await createProject(service, user, { repository: { url: 'https://git.example.com/x' } });
    const synced = new Date('2026-05-06T07:08:09.123Z');
    await service.db
      .updateTable('projects')
      .set({ repository_last_sync: synced })
      .where('id', '=', project.id)
      .execute();
    expect((await readProject(service, user, project.id)).repository?.last_sync).toBe(synced.toISOString());
  });

  test.each(['prj_00000000000000000000000000', 'prj_', 'nonsense', 'PRJ_01jd2m6vz8e3r9x5k7q4w1t0ab', '..%2f..', '%00'])(
    'with the id %s is a 404',
    async (id) => {
      const user = await service.createUser();
      expectError(await onProject(service, user, id, ['GET']), { status: 404, code: 'NOT_FOUND' });
    },
  );
});
