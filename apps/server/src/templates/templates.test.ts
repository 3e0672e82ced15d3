import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../testing/clients/expect-error.ts';
import { call } from '../testing/clients/http-client.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';
import { listTemplates, onTemplates, publish } from './templates.fixture.ts';

const service = useTestService();
let user: TestUser;
beforeAll(async () => {
  user = await service.createUser();
});

const builtIn = [
  'documentation-site',
  'empty',
  'node-api',
  'python-script',
  'react-vite',
  'static-site',
  'typescript-library',
  'websocket-demo',
];

describe('the list of templates', () => {
  test('has the built-in templates, each with every documented field', async () => {
    const templates = await listTemplates(service, user);
    expect(templates.map(({ id }) => id).sort()).toEqual(builtIn);
    for (const template of templates) {
      expect(template).toEqual({
        id: expect.stringMatching(/^[a-z-]+$/),
        name: expect.stringMatching(/./),
        description: expect.stringMatching(/./),
        category: expect.stringMatching(/./),
        language: expect.stringMatching(/./),
        tags: expect.arrayContaining([expect.any(String)]),
        featured: expect.any(Boolean),
        author: { name: 'Bottega', url: service.url },
        preview_url: `${service.url}/templates/${template.id}/preview/`,
        repository_url: `${service.url}/git/templates/${template.id}.git`,
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
        visibility: 'public',
        version: expect.any(Number),
        files_count: expect.any(Number),
        variables: expect.arrayContaining([expect.objectContaining({ name: 'licence', type: 'choice' })]),
      });
    }
  });

  test('has featured templates first, and is then sorted by name', async () => {
    const templates = await listTemplates(service, user);
    const key = ({ featured, name }: { featured: boolean; name: string }) => `${featured ? 0 : 1} ${name}`;
    expect(templates.map(key)).toEqual(templates.map(key).sort());
  });

  test.each([
    ['?category=web', ['react-vite', 'static-site']],
    ['?category=WEB&language=html', ['static-site']],
    ['?language=Python', ['python-script']],
    ['?featured=true', ['documentation-site', 'node-api', 'react-vite', 'static-site']],
    ['?featured=false&category=library', ['typescript-library']],
    ['?category=nothing', []],
  ])('is narrowed by %s', async (query, ids) => {
    expect((await listTemplates(service, user, query)).map(({ id }) => id).sort()).toEqual(ids);
  });

  test('refuses an invalid filter', async () => {
    for (const query of [
      '?featured=perhaps',
      '?category=a%00b',
      `?language=${'x'.repeat(51)}`,
      '?category=a&category=b',
    ]) {
      const answer = await onTemplates(service, user, ['GET', query]);
      expectError(answer, { status: 400, code: 'VALIDATION_ERROR' });
    }
  });

  test('is available on both mounts to a key of any scope, and not without a key', async () => {
    const { key } = await service.createKey(user.id, { scopes: ['read:user'] });
    const answer = await call<{ data: unknown[] }>('GET', `${service.url}/api/v1/templates`, { token: key });
    expect(answer.body.data).toHaveLength(builtIn.length);
    expectError(await call('GET', `${service.url}/v1/templates`), { status: 401, code: 'AUTHENTICATION_ERROR' });
  });

  test('has the private templates of the user, and of nobody else', async () => {
    const [one, other] = [await service.createUser(), await service.createUser()];
    const { template } = await publish(service, one, { '/a.txt': 'a' });
    expect((await listTemplates(service, one)).map(({ id }) => id)).toContain(template.id);
    expect((await listTemplates(service, other)).map(({ id }) => id)).not.toContain(template.id);
  });
});

describe('a template', () => {
  test('is read by its id, with its variables', async () => {
    const answer = await onTemplates(service, user, ['GET', '/static-site']);
    expect(answer.status).toBe(200);
    expect(answer.body.variables).toEqual([
      { name: 'project_name', type: 'string', label: expect.any(String), required: true, max_length: 100 },
      { name: 'description', type: 'string', label: expect.any(String), max_length: 10_000 },
      { name: 'author', type: 'string', label: expect.any(String), max_length: 200 },
      {
        name: 'licence',
        type: 'choice',
        label: expect.any(String),
        default: 'MIT',
        choices: ['MIT', 'Apache-2.0', 'none'],
      },
    ]);
  });

  test('is a 404 if it is unknown, private to somebody else, or has an invalid id', async () => {
    const { template } = await publish(service, await service.createUser(), { '/a.txt': 'a' });
    const admin = await service.createUser({ isAdmin: true });
    const ids = [
      template.id,
      'tpl_00000000000000000000000000',
      'licences',
      'nothing',
      '..',
      '%00',
      '__proto__',
      'constructor',
    ];
    for (const id of ids) {
      for (const who of [user, admin]) {
        const answer = await onTemplates(service, who, ['GET', `/${encodeURIComponent(decodeURIComponent(id))}`]);
        expectError(answer, { status: 404, code: 'NOT_FOUND' });
      }
    }
  });
});
