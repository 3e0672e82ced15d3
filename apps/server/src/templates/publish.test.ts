import type { Template } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { expectError } from '../testing/clients/expect-error.ts';
import { call } from '../testing/clients/http-client.ts';
import { commit, newPlace, writeFile } from '../testing/samples/sample-files.ts';
import { addCollaborator, onProject } from '../testing/samples/sample-projects.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { filesFrom, listTemplates, onTemplates, projectWith, publish } from './templates.fixture.ts';

const service = useTestService();

const forbidden = { status: 403, code: 'AUTHORIZATION_ERROR' } as const;
const invalid = { status: 422, code: 'VALIDATION_ERROR' } as const;
const conflict = { status: 409, code: 'CONFLICT' } as const;

const countRows = async () => {
  const { rows } = await service.pool.query(
    'select (select count(*) from templates) + (select count(*) from template_files) as n',
  );
  return Number(rows[0].n);
};

describe('publishing a project', () => {
  test('makes a private template of its files, with the user as author', async () => {
    const user = await service.createUser({ name: 'Ada' });
    const fields = { description: 'd', category: 'games', language: 'Lua', tags: ['fun', 'small'] };
    const { template, place } = await publish(service, user, { '/a.lua': 'a', '/b/c.txt': 'c' }, fields);
    expect(template).toEqual({
      ...fields,
      id: expect.stringMatching(/^tpl_[0-9a-z]{26}$/),
      name: 'Mine',
      featured: false,
      author: { name: 'Ada', url: null },
      preview_url: expect.stringContaining(`/templates/${template.id}/preview/~`),
      repository_url: `${service.url}/git/templates/${template.id}.git`,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      visibility: 'private',
      variables: [],
      version: 1,
      files_count: 2,
    });
    const row = await service.db
      .selectFrom('templates')
      .select(['owner_id', 'project_id', 'visibility'])
      .where('id', '=', template.id)
      .executeTakeFirst();
    expect(row).toEqual({ owner_id: user.id, project_id: place.projectId, visibility: 'private' });
    expect(await filesFrom(service, user, template)).toEqual({ '/a.lua': 'a', '/b/c.txt': 'c' });
  });

  test('takes the files as they are then, whatever becomes of the project later', async () => {
    const user = await service.createUser();
    const { template, place } = await publish(service, user, { '/a.txt': 'before' });
    await writeFile(place, '/a.txt', 'after');
    await onProject(service, user, place.projectId, ['DELETE']);
    expect(await filesFrom(service, user, template)).toEqual({ '/a.txt': 'before' });
  });

  test('leaves placeholders in files alone if it declares no variables', async () => {
    const user = await service.createUser();
    const { template } = await publish(service, user, { '/a.html': '<p>{{project_name}} {{year}}</p>' });
    expect(await filesFrom(service, user, template)).toEqual({ '/a.html': '<p>{{project_name}} {{year}}</p>' });
  });

  test('happens only once if the request is repeated with the same Idempotency-Key', async () => {
    const user = await service.createUser();
    const place = await projectWith(service, user, { '/a.txt': 'a' });
    const send = () =>
      call<Template>('POST', `${service.url}/v1/templates`, {
        token: user.key,
        json: { project_id: place.projectId, name: ' Mine ' },
        headers: { 'idempotency-key': 'publish' },
      });
    const [one, other] = [await send(), await send()];
    expect(other.body).toEqual(one.body);
    expect(one.body.name).toBe('Mine');
    expect((await listTemplates(service, user)).filter(({ id }) => id.startsWith('tpl_'))).toHaveLength(1);
  });

  test('needs the rights and scopes to read and to manage the project', async () => {
    const [owner, other] = [await service.createUser(), await service.createUser()];
    const place = await projectWith(service, owner, { '/a.txt': 'a' });
    const before = await countRows();
    const send = (key: string) =>
      onTemplates(service, { key }, ['POST', '', { project_id: place.projectId, name: 'x' }]);
    expectError(await send(other.key), { ...invalid, field: 'project_id' });
    await addCollaborator(service, place.projectId, other, { role: 'editor' });
    expectError(await send(other.key), forbidden);
    for (const scopes of [['read:files'], ['write:projects'], ['read:projects', 'write:files']] as const) {
      expectError(await send((await service.createKey(owner.id, { scopes: [...scopes] })).key), forbidden);
    }
    expect(await countRows()).toBe(before);
    const { key } = await service.createKey(owner.id, { scopes: ['write:projects', 'read:files'] });
    expect((await send(key)).status).toBe(201);
    await onProject(service, owner, place.projectId, ['PATCH', { status: 'archived' }]);
    expectError(await send(owner.key), conflict);
  });

  test.each([
    ['an admin', { role: 'admin' }, 201],
    ['a viewer with manage', { role: 'viewer', permissions: ['read', 'manage'] }, 201],
    ['an editor', { role: 'editor' }, 403],
    ['a viewer', { role: 'viewer' }, 403],
    ['a pending invitee', { role: 'admin', status: 'pending' }, 422],
    ['a stranger', null, 422],
  ] as const)('by %s is answered according to their rights in the project', async (_who, membership, status) => {
    const [owner, other] = [await service.createUser(), await service.createUser()];
    const { projectId } = await projectWith(service, owner, { '/a.txt': 'a' });
    const { permissions, ...rest } = { permissions: undefined, ...membership };
    const row = { ...rest, ...(permissions && { permissions: [...permissions] }) };
    if (membership) await addCollaborator(service, projectId, other, row);
    const before = await countRows();
    const answer = await onTemplates(service, other, ['POST', '', { project_id: projectId, name: 'x' }]);
    expect(answer.status, answer.text).toBe(status);
    expect(await countRows()).toBe(before + (status === 201 ? 2 : 0));
  });

  test.each<[string, string, Record<string, unknown>]>([
    ['an unknown project', 'project_id', { project_id: 'prj_00000000000000000000000000' }],
    ['no project', 'project_id', { project_id: undefined }],
    ['a project that is none', 'project_id', { project_id: '../x' }],
    ['no name', 'name', { name: '  ' }],
    ['an unknown field', 'colour', { colour: 'red' }],
    ['another visibility', 'visibility', { visibility: 'secret' }],
    ['too many tags', 'tags', { tags: Array.from({ length: 21 }, (_, index) => `t${index}`) }],
    ['a long category', 'category', { category: 'x'.repeat(51) }],
    ['a variable without a type', 'variables.0.type', { variables: [{ name: 'x' }] }],
    ['a variable of a bad name', 'variables.0.name', { variables: [{ name: 'X-Y', type: 'string' }] }],
    ['a variable twice', 'variables.1.name', { variables: Array(2).fill({ name: 'x', type: 'string' }) }],
    ['a variable of a name that is taken', 'variables.0.name', { variables: [{ name: 'year', type: 'string' }] }],
    ['a choice without choices', 'variables.0.choices', { variables: [{ name: 'x', type: 'choice' }] }],
    [
      'a default that is no choice',
      'variables.0.default',
      { variables: [{ name: 'x', type: 'choice', choices: ['a'], default: 'b' }] },
    ],
    [
      'a default of another type',
      'variables.0.default',
      { variables: [{ name: 'x', type: 'boolean', default: 'yes' }] },
    ],
    [
      'a pattern that could search for years',
      'variables.0.pattern',
      { variables: [{ name: 'x', type: 'string', pattern: '(a+)+' }] },
    ],
  ])('refuses %s', async (_what, field, fields) => {
    const user = await service.createUser();
    const place = await projectWith(service, user, { '/a.txt': 'a' });
    const before = await countRows();
    const body = { project_id: place.projectId, name: 'x', ...fields };
    expectError(await onTemplates(service, user, ['POST', '', body]), { ...invalid, field });
    expect(await countRows()).toBe(before);
  });

  test('refuses a project with no files, or with only bottega-template.json', async () => {
    const user = await service.createUser();
    const place = await newPlace(service, {}, user);
    const send = () => onTemplates(service, user, ['POST', '', { project_id: place.projectId, name: 'x' }]);
    expectError(await send(), { ...invalid, field: 'project_id' });
    await writeFile(place, '/bottega-template.json', '{}');
    expectError(await send(), { ...invalid, field: 'project_id' });
  });

  test('accepts 1,000 files and refuses more', async () => {
    const user = await service.createUser();
    const place = await newPlace(service, {}, user);
    const changes = Array.from({ length: 1000 }, (_, index) => ({ action: 'create', path: `/${index}`, content: '' }));
    expect((await commit(place, changes)).status).toBe(201);
    const send = () => onTemplates(service, user, ['POST', '', { project_id: place.projectId, name: 'x' }]);
    expect((await send()).body.files_count).toBe(1000);
    await writeFile(place, '/more', '');
    expectError(await send(), { ...invalid, field: 'project_id' });
  });

  test('is limited to fifty templates per account, also with requests at the same time', async () => {
    const user = await service.createUser();
    const { template, place } = await publish(service, user, { '/a.txt': 'a' });
    await service.pool.query(
      `insert into templates select 'tpl_' || lpad(n::text, 26, '0'), owner_id, project_id, name, description, category,
         language, tags, visibility, featured, variables, collaboration_enabled, auto_save, version_control, version,
         files_count, created_at, updated_at
       from templates, generate_series(1, 47) n where id = $1`,
      [template.id],
    );
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        onTemplates(service, user, ['POST', '', { project_id: place.projectId, name: 'x' }]),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 403, 403, 403]);
  });
});

test('the templates of an account are limited to 200 MiB in total, also when published again', async () => {
  const user = await service.createUser();
  const { template } = await publish(service, user, { '/a.txt': 'a' });
  const { template: large, place } = await publish(service, user, { '/b.txt': 'b' });
  const size = 200 * 1024 * 1024;
  const grow = (id: string) =>
    service.db.updateTable('template_files').set({ size }).where('template_id', '=', id).execute();
  await grow(large.id);
  expectError(await onTemplates(service, user, ['POST', `/${template.id}/versions`]), forbidden);
  const before = await countRows();
  const body = { project_id: place.projectId, name: 'x' };
  expectError(await onTemplates(service, user, ['POST', '', body]), forbidden);
  expect(await countRows()).toBe(before);
  expect((await onTemplates(service, user, ['POST', `/${large.id}/versions`])).status).toBe(201);
});

describe('variables', () => {
  const variables = [
    { name: 'project_name', type: 'string', label: 'Name' },
    { name: 'port', type: 'string', pattern: '[0-9]{1,5}', default: '3000', max_length: 5 },
    { name: 'strict', type: 'boolean', default: true },
    { name: 'level', type: 'choice', choices: ['low', 'high'], required: true },
  ];
  const files = {
    '/a.json': '{"name": "{{project_name}}", "port": {{port}}, "strict": {{strict}}, "level": "{{level}}"}',
  };

  test('are declared in the request, and checked when a project is created from the template', async () => {
    const user = await service.createUser();
    const { template } = await publish(service, user, files, { variables });
    expect(template.variables).toEqual(variables);
    const [content] = Object.values(await filesFrom(service, user, template, { level: 'high', port: '80' }));
    expect(JSON.parse(String(content))).toEqual({ name: 'Sample', port: 80, strict: true, level: 'high' });
    for (const [name, value] of [
      ['level', undefined],
      ['level', 'middle'],
      ['port', '123456'],
      ['port', 'x'],
      ['strict', 'true'],
      ['project_name', false],
    ]) {
      const values = { level: 'low', [String(name)]: value };
      const answer = await call('POST', `${service.url}/v1/projects`, {
        token: user.key,
        json: { name: 'x', template: template.id, template_variables: values },
      });
      expectError(answer, { ...invalid, field: `template_variables.${name}` });
    }
  });

  test('are read from bottega-template.json, which is not part of the template', async () => {
    const user = await service.createUser();
    const declared = { ...files, '/bottega-template.json': JSON.stringify({ variables }) };
    const { template } = await publish(service, user, declared);
    expect(template).toMatchObject({ variables, files_count: 1 });
    expect(Object.keys(await filesFrom(service, user, template, { level: 'low' }))).toEqual(['/a.json']);
    const { template: other } = await publish(service, user, declared, { variables: [] });
    expect(other.variables).toEqual([]);
  });

  test.each(['{', '[]]', '{"variables": {}}', '{"variables": [{"name": "x"}]}', '"x"x', 'null null'])(
    'are refused if they are declared as %s',
    async (text) => {
      const user = await service.createUser();
      const place = await projectWith(service, user, { '/a.txt': 'a', '/bottega-template.json': text });
      const answer = await onTemplates(service, user, ['POST', '', { project_id: place.projectId, name: 'x' }]);
      expectError(answer, { ...invalid, field: 'variables' });
    },
  );

  test('cannot make a file larger than allowed by their long values', async () => {
    const user = await service.createUser();
    const { template } = await publish(
      service,
      user,
      { '/a.txt': '{{text}}'.repeat(3000) },
      { variables: [{ name: 'text', type: 'string', max_length: 10_000 }] },
    );
    const answer = await call('POST', `${service.url}/v1/projects`, {
      token: user.key,
      json: { name: 'x', template: template.id, template_variables: { text: 'x'.repeat(10_000) } },
    });
    expectError(answer, { ...invalid, field: 'template_variables' });
  });
});
