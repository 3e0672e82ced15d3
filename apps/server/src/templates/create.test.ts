import type { Project } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../testing/clients/expect-error.ts';
import { type Answer, call } from '../testing/clients/http-client.ts';
import { expectStoredEventsCatalogued } from '../testing/contract/catalogue-validator.ts';
import { contentAt, history, listPaths, type Place, putFile } from '../testing/samples/sample-files.ts';
import { listProjects, readProject } from '../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';
import { publish } from './templates.fixture.ts';

const service = useTestService();
let user: TestUser;
beforeAll(async () => {
  user = await service.createUser({ name: 'Grace "Amazing" Hopper' });
});

function create(fields: Record<string, unknown>, options: { who?: TestUser; key?: string } = {}) {
  return call<Project>('POST', `${service.url}/v1/projects`, {
    token: (options.who ?? user).key,
    json: { name: 'From a template', ...fields },
    headers: options.key ? { 'idempotency-key': options.key } : {},
  });
}

async function created(fields: Record<string, unknown>): Promise<Place & { project: Project }> {
  const answer = await create(fields);
  expect(answer.status, answer.text).toBe(201);
  return { service, user, projectId: answer.body.id, project: answer.body };
}

const refused = (answer: Answer<unknown>, field: string) =>
  expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field });

describe('a project from a template', () => {
  test('has the files of the template as its first commit, whose author is the user who created it', async () => {
    const place = await created({ template: 'node-api' });
    expect(await listPaths(place, '?recursive=true&type=file')).toEqual(
      ['/.gitignore', '/LICENSE', '/README.md', '/bottega.json', '/package.json', '/src/app.js'].concat([
        '/src/http.js',
        '/src/notes.js',
        '/src/router.js',
        '/src/server.js',
        '/test/api.test.js',
      ]),
    );
    const { data } = await history(place);
    expect(data).toEqual([
      {
        sha: expect.stringMatching(/^[0-9a-f]{40}$/),
        message: 'Start from the template Node HTTP API',
        message_truncated: false,
        author: { name: user.name, email: user.email },
        committed_at: expect.any(String),
        parents: [],
      },
    ]);
  });

  test('names its template when created, read and listed, and in its event', async () => {
    const { projectId, project } = await created({ template: 'empty' });
    expect(project.template_id).toBe('empty');
    expect((await readProject(service, user, projectId)).template_id).toBe('empty');
    const listed = (await listProjects(service, user, '?limit=100')).data.find(({ id }) => id === projectId);
    expect(listed).toMatchObject({ template_id: 'empty', stats: { files_count: 3 } });
    const events = await service.db
      .selectFrom('events')
      .select(['type', 'data'])
      .where('project_id', '=', projectId)
      .orderBy('id')
      .execute();
    expect(events.map(({ type }) => type)).toEqual(['project.created', ...Array(3).fill('file.created')]);
    expect(events[0]?.data).toMatchObject({ project_id: projectId, template_id: 'empty' });
    const row = await service.db
      .selectFrom('projects')
      .select(['template_id', 'template_version'])
      .where('id', '=', projectId)
      .executeTakeFirst();
    expect(row).toEqual({ template_id: 'empty', template_version: 1 });
  });

  test('keeps its template_id when a PUT sends back what was read; without a template, it is null', async () => {
    const plain = await create({});
    expect(plain.body.template_id).toBeNull();
    const { projectId } = await created({ template: 'empty' });
    const read = await readProject(service, user, projectId);
    const put = await call<Project>('PUT', `${service.url}/v1/projects/${projectId}`, { token: user.key, json: read });
    expect(put.status, put.text).toBe(200);
    expect(put.body.template_id).toBe('empty');
  });

  test('is filled in with its own name and description, and the name of its creator', async () => {
    const place = await created({ template: 'empty', name: 'Rhetoric', description: 'Speaking well' });
    expect(await contentAt(place, '/README.md')).toBe(
      '# Rhetoric\n\nSpeaking well\n\n## Licence\n\nMIT; the text is in the file LICENSE.\n',
    );
    const licence = await contentAt(place, '/LICENSE');
    expect(licence).toContain(`Copyright (c) ${new Date().getUTCFullYear()} Grace "Amazing" Hopper\n`);
    expect(licence).toContain('THE SOFTWARE IS PROVIDED "AS IS"');
  });

  test('is filled in with the values in the request, if there are any', async () => {
    const values = { project_name: 'Other', description: '', author: 'ACME', licence: 'Apache-2.0' };
    const place = await created({ template: 'empty', description: 'x', template_variables: values });
    expect(place.project).toMatchObject({ name: 'From a template', description: 'x' });
    expect(await contentAt(place, '/README.md')).toContain('# Other\n\n\n\n## Licence\n\nApache-2.0;');
    const licence = await contentAt(place, '/LICENSE');
    expect(licence).toContain(`   Copyright ${new Date().getUTCFullYear()} ACME\n`);
    expect(licence.split('\n')).toHaveLength(202);
  });

  test('has no licence file if the chosen licence is none', async () => {
    const place = await created({ template: 'node-api', template_variables: { licence: 'none' } });
    expect(await listPaths(place)).not.toContain('/LICENSE');
    expect(JSON.parse(await contentAt(place, '/package.json')).license).toBe('UNLICENSED');
    expect(await contentAt(place, '/README.md')).toContain('All rights reserved.');
  });

  test('starts with the settings of the template, which settings in the request override', async () => {
    const { template, place } = await publish(service, user, { '/a.txt': 'a' });
    await call('PATCH', `${service.url}/v1/projects/${place.projectId}`, {
      token: user.key,
      json: { settings: { auto_save: false, public: true, collaboration_enabled: false } },
    });
    await call('POST', `${service.url}/v1/templates/${template.id}/versions`, { token: user.key, json: {} });
    const { project } = await created({ template: template.id, settings: { collaboration_enabled: true } });
    expect(project.settings).toEqual({
      public: false,
      collaboration_enabled: true,
      auto_save: false,
      version_control: true,
      auto_deploy: false,
      auto_preview: true,
    });
  });

  test('has files but no commit if version control is off', async () => {
    const place = await created({ template: 'empty', settings: { version_control: false } });
    expect(await listPaths(place)).toContain('/README.md');
    expect((await history(place)).data).toEqual([]);
  });

  test('keeps executable files executable', async () => {
    const { projectId } = await created({ template: 'python-script' });
    const rows = await service.db
      .selectFrom('files')
      .select('path')
      .where('project_id', '=', projectId)
      .where('executable', '=', true)
      .execute();
    expect(rows).toEqual([{ path: '/main.py' }]);
  });

  test('is an ordinary project from then on', async () => {
    const place = await created({ template: 'empty' });
    const answer = await putFile(place, { path: '/README.md', content: 'mine\n' });
    expect(answer.status).toBe(200);
    expect((await history(place)).data).toHaveLength(2);
  });

  test('is created only once if the request is repeated with the same Idempotency-Key', async () => {
    const [one, other] = [
      await create({ template: 'empty' }, { key: 'once' }),
      await create({ template: 'empty' }, { key: 'once' }),
    ];
    expect(other.headers.get('idempotency-replayed')).toBe('true');
    expect(other.body).toEqual(one.body);
    refused(await create({ template: 'node-api' }, { key: 'once' }), 'Idempotency-Key');
  });
});

describe('a new project is refused with 422 on the field, and nothing is created, for', () => {
  test.each<[string, string, Record<string, unknown>]>([
    ['an unknown template', 'template', { template: 'nothing' }],
    ['no template at all', 'template', { template: '' }],
    ['the name of a property', 'template', { template: '__proto__' }],
    ['a folder beside the templates', 'template', { template: 'licences' }],
    ['a path', 'template', { template: '../empty' }],
    ['values without a template', 'template_variables', { template_variables: {} }],
    ['values that are a list', 'template_variables', { template: 'empty', template_variables: [] }],
    ['an unknown variable', 'template_variables.colour', { template: 'empty', template_variables: { colour: 'red' } }],
    ['another licence', 'template_variables.licence', { template: 'empty', template_variables: { licence: 'GPL' } }],
    [
      'a licence that is true',
      'template_variables.licence',
      { template: 'empty', template_variables: { licence: true } },
    ],
    ['a number', 'template_variables.author', { template: 'empty', template_variables: { author: 1 } }],
    [
      'an empty name',
      'template_variables.project_name',
      { template: 'empty', template_variables: { project_name: ' ' } },
    ],
    [
      'a long name',
      'template_variables.project_name',
      { template: 'empty', template_variables: { project_name: 'x'.repeat(101) } },
    ],
    ['a NUL character', 'template_variables.author', { template: 'empty', template_variables: { author: 'a\u0000' } }],
  ])('%s', async (_what, field, fields) => {
    const owner = await service.createUser();
    refused(await create(fields, { who: owner }), field);
    expect((await listProjects(service, owner)).pagination.total).toBe(0);
  });

  test('the private template of somebody else, with the same message as for an unknown template', async () => {
    const { template } = await publish(service, await service.createUser(), { '/a.txt': 'a' });
    const hidden = await create({ template: template.id });
    const unknown = await create({ template: 'tpl_00000000000000000000000000' });
    refused(hidden, 'template');
    expect((hidden.body as unknown as { error: { details: unknown } }).error.details).toEqual(
      (unknown.body as unknown as { error: { details: unknown } }).error.details,
    );
  });

  test('several bad variables at once, with a row for each', async () => {
    const answer = await create({
      template: 'empty',
      template_variables: { licence: 'GPL', colour: 'red', toString: 'x' },
    });
    expect(
      (answer.body as unknown as { error: { details: { field: string }[] } }).error.details.map((row) => row.field),
    ).toEqual(['template_variables.colour', 'template_variables.toString', 'template_variables.licence']);
  });
});

test('every event of these tests has the data that the catalogue describes', async () => {
  await expectStoredEventsCatalogued(service.db);
});
