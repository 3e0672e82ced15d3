import type { Project } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { type Answer, call } from '../testing/clients/http-client.ts';
import { expectStoredEventsCatalogued } from '../testing/contract/catalogue-validator.ts';
import { addCollaborator, createProject, onProject } from '../testing/samples/sample-projects.ts';
import { useTestService } from '../testing/service/test-service.ts';

const service = useTestService({ settings: { BOTTEGA_PROJECT_LIMIT_PRO: '1' } });

type Changes = Record<string, { from: unknown; to: unknown }>;

/** All events of one project, in the order in which they were written. */
async function eventsOf(projectId: string) {
  const rows = await service.db
    .selectFrom('events')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, changes: row.data.changes as Changes | undefined }));
}

/** The events of the project that a request adds. */
async function eventsFrom(projectId: string, request: () => Promise<Answer<unknown>>) {
  const before = await eventsOf(projectId);
  const answer = await request();
  return { answer, events: (await eventsOf(projectId)).slice(before.length) };
}

async function userWithProject(fields: Record<string, unknown> = {}) {
  const user = await service.createUser();
  return { user, project: await createProject(service, user, fields) };
}

describe('each change of a project writes one event:', () => {
  test('a create, with the project, the request and its Idempotency-Key', async () => {
    const user = await service.createUser({ name: 'Ada' });
    const answer = await call<Project>('POST', `${service.url}/v1/projects`, {
      token: user.key,
      json: { name: 'One', description: 'd', settings: { public: true } },
      headers: { 'idempotency-key': 'first-try' },
    });
    const events = await eventsOf(answer.body.id);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
      type: 'project.created',
      account_id: user.id,
      project_id: answer.body.id,
      actor_id: user.id,
      request_id: answer.headers.get('x-request-id'),
      idempotency_key: 'first-try',
    });
    expect(events[0]?.data).toEqual({
      project_id: answer.body.id,
      project_name: 'One',
      description: 'd',
      status: 'active',
      template_id: null,
      settings: answer.body.settings,
      owner: { id: user.id, name: 'Ada', email: user.email, username: user.username },
      created_at: answer.body.created_at,
      updated_at: answer.body.updated_at,
    });
  });

  test('a replayed create writes no event, and the event of the first request stays', async () => {
    const user = await service.createUser();
    const send = () =>
      call<Project>('POST', `${service.url}/v1/projects`, {
        token: user.key,
        json: { name: 'Once' },
        headers: { 'idempotency-key': 'again' },
      });
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    const events = await eventsOf(first.body.id);
    expect(events.map((event) => event.request_id)).toEqual([first.headers.get('x-request-id')]);
  });

  test('a PATCH, with every changed field as from and to', async () => {
    const { user, project } = await userWithProject({
      name: 'Before',
      repository: { url: 'https://git.example.com/a' },
    });
    const { answer, events } = await eventsFrom(project.id, () =>
      onProject(service, user, project.id, [
        'PATCH',
        {
          name: 'After',
          description: '',
          settings: { public: true, auto_save: true },
          repository: { url: 'https://git.example.com/b' },
          status: 'archived',
        },
      ]),
    );
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      type: 'project.updated',
      account_id: user.id,
      actor_id: user.id,
      request_id: answer.headers.get('x-request-id'),
      idempotency_key: null,
      data: { project_id: project.id, project_name: 'After', status: 'archived' },
    });
    expect(events[0]?.changes).toEqual({
      name: { from: 'Before', to: 'After' },
      status: { from: 'active', to: 'archived' },
      'settings.public': { from: false, to: true },
      'repository.url': { from: 'https://git.example.com/a', to: 'https://git.example.com/b' },
    });
  });

  test('a PUT, with the fields that return to their defaults', async () => {
    const { user, project } = await userWithProject({ description: 'words', settings: { version_control: false } });
    const { events } = await eventsFrom(project.id, () =>
      onProject(service, user, project.id, ['PUT', { name: 'Sample' }]),
    );
    expect(events.map((event) => event.changes)).toEqual([
      {
        description: { from: 'words', to: '' },
        'settings.version_control': { from: false, to: true },
      },
    ]);
  });

  test('a change that sets or removes a repository', async () => {
    const { user, project } = await userWithProject();
    const url = 'https://git.example.com/x';
    const given = await eventsFrom(project.id, () =>
      onProject(service, user, project.id, ['PATCH', { repository: { url } }]),
    );
    expect(given.events[0]?.changes).toEqual({
      'repository.url': { from: null, to: url },
      'repository.branch': { from: null, to: 'main' },
    });
    const taken = await eventsFrom(project.id, () =>
      onProject(service, user, project.id, ['PATCH', { repository: null }]),
    );
    expect(taken.events[0]?.changes).toEqual({
      'repository.url': { from: url, to: null },
      'repository.branch': { from: 'main', to: null },
    });
  });

  test('a DELETE, with its time', async () => {
    const { user, project } = await userWithProject();
    const { answer, events } = await eventsFrom(project.id, () => onProject(service, user, project.id, ['DELETE']));
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      type: 'project.deleted',
      account_id: user.id,
      request_id: answer.headers.get('x-request-id'),
      data: { project_id: project.id, deleted_at: (answer.body as { deleted_at: string }).deleted_at },
    });
  });

  test('a restore, as a change of deleted_at', async () => {
    const { user, project } = await userWithProject();
    const { body } = await onProject<{ deleted_at: string }>(service, user, project.id, ['DELETE']);
    const { answer, events } = await eventsFrom(project.id, () =>
      call('POST', `${service.url}/v1/projects/${project.id}/restore`, {
        token: user.key,
        headers: { 'idempotency-key': 'back' },
      }),
    );
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      type: 'project.updated',
      request_id: answer.headers.get('x-request-id'),
      idempotency_key: 'back',
      changes: { deleted_at: { from: body.deleted_at, to: null } },
    });
  });

  test("a collaborator's change is the owner's event with the collaborator as actor", async () => {
    const { user: owner, project } = await userWithProject();
    const editor = await service.createUser();
    await addCollaborator(service, project.id, editor, { role: 'editor' });
    const { events } = await eventsFrom(project.id, () =>
      onProject(service, editor, project.id, ['PATCH', { name: 'By the editor' }]),
    );
    expect(events).toMatchObject([{ account_id: owner.id, actor_id: editor.id }]);
  });
});

describe('no event is written for', () => {
  test.each<[string, [string, unknown?]]>([
    ['a PATCH of nothing', ['PATCH', {}]],
    ['a PATCH to what is', ['PATCH', { name: ' Sample ', settings: { public: false }, description: null }]],
    ['a PUT of what is', ['PUT', { name: 'Sample' }]],
    ['an invalid PATCH', ['PATCH', { name: 'x', colour: 'red' }]],
    ['an invalid PUT', ['PUT', {}]],
  ])('%s', async (_what, request) => {
    const { user, project } = await userWithProject();
    const { events } = await eventsFrom(project.id, () => onProject(service, user, project.id, request));
    expect(events).toEqual([]);
  });

  test.each<[number, [string, unknown?]]>([
    [403, ['PATCH', { settings: { public: false } }]],
    [403, ['PATCH', { name: 'x' }]],
    [403, ['DELETE']],
  ])('a change refused with %i', async (status, request) => {
    const { project } = await userWithProject({ settings: { public: true } });
    const stranger = await service.createUser();
    const { answer, events } = await eventsFrom(project.id, () => onProject(service, stranger, project.id, request));
    expect(answer.status).toBe(status);
    expect(events).toEqual([]);
  });

  test('a write to an archived project, a second delete, or a restore of a project that is not deleted', async () => {
    const { user, project } = await userWithProject();
    await onProject(service, user, project.id, ['PATCH', { status: 'archived' }]);
    const written = await eventsFrom(project.id, () => onProject(service, user, project.id, ['PATCH', { name: 'x' }]));
    const restored = await eventsFrom(project.id, () =>
      call('POST', `${service.url}/v1/projects/${project.id}/restore`, { token: user.key }),
    );
    await onProject(service, user, project.id, ['DELETE']);
    const deleted = await eventsFrom(project.id, () => onProject(service, user, project.id, ['DELETE']));
    expect([written, restored, deleted].map((one) => [one.answer.status, one.events.length])).toEqual([
      [409, 0],
      [409, 0],
      [404, 0],
    ]);
  });

  test('a create that the plan refuses', async () => {
    const user = await service.createUser({ plan: 'pro' });
    await createProject(service, user);
    const answer = await call('POST', `${service.url}/v1/projects`, { token: user.key, json: { name: 'Too many' } });
    expect(answer.status).toBe(403);
    const events = await service.db
      .selectFrom('events')
      .select('type')
      .where('account_id', '=', user.id)
      .where('type', '=', 'project.created')
      .execute();
    expect(events).toHaveLength(1);
  });
});

test('every event in these tests has the data that the catalogue describes', async () => {
  await expectStoredEventsCatalogued(service.db);
});
